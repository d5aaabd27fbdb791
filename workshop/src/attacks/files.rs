//! The files: a right first task of lab 1, and something else.

use std::path::Path;

/// A file that attacks the machine.
pub struct File {
    /// What it attacks.
    pub family: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Lines before the kernel. `SECRET` in them stands for the path of the secret file.
    before: String,
    /// Lines at the start of the kernel.
    kernel: String,
    /// Lines at the start of the host function.
    host: String,
}

impl File {
    /// Its text, with the secret in this folder.
    pub fn text(&self, folder: &Path) -> String {
        let secret = folder.join("secret.txt").display().to_string();
        format!(
            "#include \"workbook.cuh\"\n{}\n\
             __global__ void gray_kernel(const uint8_t* rgb, uint8_t* gray, int n) {{\n\
             \x20   int i = blockIdx.x * blockDim.x + threadIdx.x;\n{}\n\
             \x20   if (i >= n) return;\n\
             \x20   float sum = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + 0.11f * rgb[3 * i + 2];\n\
             \x20   gray[i] = static_cast<uint8_t>(sum + 0.5f);\n}}\n\
             void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {{\n{}\n\
             \x20   gray_kernel<<<ceil_div(width * height, 256), 256>>>(rgb, gray, width * height);\n}}\n",
            self.before.replace("SECRET", &secret),
            self.kernel,
            self.host
        )
    }
}

fn before(family: &'static str, name: &'static str, text: impl Into<String>) -> File {
    File { family, name, before: text.into(), kernel: String::new(), host: String::new() }
}

fn kernel(family: &'static str, name: &'static str, text: impl Into<String>) -> File {
    File { family, name, before: String::new(), kernel: text.into(), host: String::new() }
}

fn host(family: &'static str, name: &'static str, text: impl Into<String>) -> File {
    File { family, name, before: String::new(), kernel: String::new(), host: text.into() }
}

/// All attacks.
pub fn all() -> Vec<File> {
    [compiler(), nesting(), files(), memory(), work(), text()].into_iter().flatten().collect()
}

/// The text so many times, each with its number for `#`.
fn numbered(times: usize, text: &str) -> String {
    (0..times).map(|number| text.replace('#', &number.to_string())).collect()
}

fn compiler() -> Vec<File> {
    let doubled = (1..40).fold("#define B0(x) x\n".to_owned(), |text, i| {
        text + &format!("#define B{i}(x) B{0}(x) B{0}(x)\n", i - 1)
    });
    vec![
        before("compiler", "macro that doubles itself", doubled + "int a = 0 B39(+ 1);"),
        before(
            "compiler",
            "tree of templates",
            "template<int N, int M> struct T { static constexpr long v = T<N - 1, 2 * M>::v + T<N - 1, 2 * M + 1>::v; };\n\
             template<int M> struct T<0, M> { static constexpr long v = M; };\n__device__ long q = T<22, 0>::v;",
        ),
        before(
            "compiler",
            "endless template recursion",
            "template<int N> struct T { static constexpr int v = T<N + 1>::v; };\n__device__ int q = T<0>::v;",
        ),
        before(
            "compiler",
            "long loop of a constant",
            "constexpr long sum() { long s = 0; for (long i = 0; i < 10000000000L; i++) s += i; return s; }\n\
             static_assert(sum() > 0, \"\");",
        ),
        before("compiler", "initialised array of 6 GB", "__device__ char big[6000000000ull] = {1};"),
        before("compiler", "array of 6 GB", "__device__ char big[6000000000ull];"),
        before("compiler", "a string of 900 kB", format!("const char* s = \"{}\";", "x".repeat(900_000))),
        before("compiler", "bad tokens", "@ ".repeat(400_000)),
        before("compiler", "bad names", "foo bar;\n".repeat(100_000)),
        before("compiler", "30,000 unknown names", numbered(30_000, "int a# = undefined_#;\n")),
        before("compiler", "30,000 warnings", numbered(30_000, "static int unused_#;\n")),
        before(
            "compiler",
            "a type with a name of 100,000 characters",
            "template<class A, class B> struct P {}; template<int N> struct T { using t = P<typename T<N - 1>::t, typename T<N - 1>::t>; };\n\
             template<> struct T<0> { using t = int; };\nT<20>::t v = 3;",
        ),
        host(
            "compiler",
            "30,000 launches in the text",
            "    gray_kernel<<<1, 1>>>(rgb, gray, 0);\n".repeat(20_000),
        ),
    ]
}

fn nesting() -> Vec<File> {
    let nested = |open: &str, inner: &str, close: &str| {
        let depth = 900_000 / (open.len() + close.len());
        format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
    };
    vec![
        before("nesting", "braces", format!("void f() {{ {} }}", nested("{", "", "}"))),
        before("nesting", "parentheses", format!("int x = {};", nested("(", "1", ")"))),
        before("nesting", "brackets", format!("int x[] = {{ {} }};", nested("[", "1", "]"))),
        before("nesting", "angles", format!("int x = {};", nested("a<", "1", ">"))),
        before("nesting", "namespaces", nested("namespace a {", "", "}")),
        before("nesting", "conditions", nested("#if 1\n", "", "#endif\n")),
        before("nesting", "brackets that never close", "(".repeat(900_000)),
        before("nesting", "lambdas", format!("auto f = {};", nested("[] { return ", "1", "; }"))),
        host(
            "nesting",
            "in the arguments of a launch",
            format!("gray_kernel<<<1, {}>>>(rgb, gray, 0);", nested("(", "1", ")")),
        ),
    ]
}

fn files() -> Vec<File> {
    let file = |name, text: &str| before("files", name, text);
    vec![
        file("include", "#include \"SECRET\""),
        file("include of the folder", "#include \"secret.txt\""),
        file("include beside", "#include \"./secret.txt\"\n#include \"../secret.txt\""),
        file("digraph", "%:include \"SECRET\""),
        file("spliced", "#inc\\\nlude \"SECRET\""),
        file("macro", "#define NAME \"SECRET\"\n#include NAME"),
        file("stringised", "#define TEXT(x) #x\nconst char* s = TEXT(\n#include \"SECRET\"\n);"),
        file("asked for", "#if __has_include(\"SECRET\")\n#error warpbook-secret-7f3a91\n#endif"),
        file("embedded", "const char s[] = {\n#embed \"SECRET\"\n};"),
        file("the environment", "#include \"/proc/self/environ\""),
        file("the environment of the parent", "#include \"/proc/1/environ\""),
        file("of the assembler", "__device__ void f() { asm(\".include \\\"SECRET\\\"\"); }"),
        file("a file entry", "__device__ void f() { asm(\".file 9 \\\"SECRET\\\"\"); }"),
        file("a line directive", "#line 1 \"SECRET\"\nint x = y;"),
        file("a device that never ends", "#include \"/dev/zero\""),
        host("files", "opened by the host function", "    FILE* f = fopen(\"SECRET\", \"r\");"),
        host("files", "asked of the environment", "    printf(\"%s\", getenv(\"WORKBOOK_SECRET\"));"),
        host("files", "a program", "    system(\"cat SECRET\");"),
    ]
}

fn memory() -> Vec<File> {
    let on_host = |name, text: &str| host("memory", name, text);
    vec![
        on_host(
            "malloc in a loop",
            "for (int i = 0; i < 100000000; i++) memset(malloc(1 << 20), 1, 1 << 20);",
        ),
        on_host(
            "cudaMalloc in a loop",
            "void* p; for (int i = 0; i < 10000000; i++) cudaMalloc(&p, 1 << 20);",
        ),
        on_host(
            "a gigabyte that comes and goes",
            "void* p; for (int i = 0; i < 40000; i++) { cudaMalloc(&p, 1 << 30); cudaFree(p); }",
        ),
        on_host(
            "all of the GPU, filled",
            "size_t f, t; cudaMemGetInfo(&f, &t); void* p; cudaMalloc(&p, f); cudaMemset(p, 1, f);",
        ),
        on_host(
            "page-locked memory",
            "void* p; for (;;) if (cudaMallocHost(&p, 1 << 28)) break; else memset(p, 1, 1 << 28);",
        ),
        on_host(
            "managed memory",
            "void* p; for (;;) if (cudaMallocManaged(&p, 1 << 28)) break; else memset(p, 1, 1 << 28);",
        ),
        on_host(
            "a huge array on the stack",
            "volatile char a[1 << 30]; for (int i = 0; i < 1 << 30; i += 4096) a[i] = 1;",
        ),
        on_host("streams", "cudaStream_t s; for (int i = 0; i < 100000000; i++) cudaStreamCreate(&s);"),
        on_host("events", "cudaEvent_t e; for (int i = 0; i < 100000000; i++) cudaEventCreate(&e);"),
        kernel("memory", "a huge local array", "    volatile char a[1 << 20]; a[i & ((1 << 20) - 1)] = 1;"),
        before("memory", "a variable of 2 GB", "__device__ char big[2000000000];"),
        before(
            "memory",
            "a table of 400 MB on the host",
            "static char table[400000000];\nchar* first = table;",
        ),
        before(
            "memory",
            "deep recursion",
            "__device__ int deep(int n) { volatile int a[64]; a[n & 63] = n; return n ? deep(n + 1) + a[0] : 0; }",
        ),
    ]
}

fn work() -> Vec<File> {
    let on_host = |name, text: &str| host("work", name, text);
    vec![
        kernel("work", "endless loop", "    volatile int x = 1; while (x) {}"),
        kernel("work", "endless loop in one thread", "    volatile int x = 1; if (i == 0) while (x) {}"),
        kernel(
            "work",
            "endless only on a large picture",
            "    volatile int x = 1; if (n > 3000000) while (x) {}",
        ),
        kernel(
            "work",
            "long loop in every thread",
            "    volatile int x = 0; for (int j = 0; j < 100000; j++) x = x + j;",
        ),
        kernel(
            "work",
            "the picture in every thread",
            "    volatile int x = 0; for (int j = 0; j < 3 * n; j++) x = x + rgb[j];",
        ),
        kernel("work", "waits for itself", "    __shared__ volatile int flag; while (!flag) {}"),
        on_host("endless loop of the host", "volatile int x = 1; while (x) {}"),
        on_host(
            "long loop of the host",
            "volatile long x = 0; for (long j = 0; j < 4000000000L; j++) x = x + j;",
        ),
        on_host(
            "a million launches",
            "for (int j = 0; j < 1000000; j++) gray_kernel<<<1, 1>>>(rgb, gray, 0);",
        ),
        on_host("a huge grid", "gray_kernel<<<dim3(2147483647, 65535, 1), 1024>>>(rgb, gray, 0);"),
        on_host(
            "a million copies",
            "for (int j = 0; j < 1000000; j++) cudaMemcpyAsync(gray, rgb, 1, cudaMemcpyDeviceToDevice);",
        ),
        on_host(
            "rows without bytes",
            "cudaMemset2D(gray, 0, 0, 0, 1ull << 60); cudaMemcpy2D(gray, 0, rgb, 0, 0, 1ull << 60, cudaMemcpyDefault);",
        ),
        on_host(
            "45,000 launches of a warp",
            "for (int j = 0; j < 45000; j++) gray_kernel<<<1, 32>>>(rgb, gray, 0);",
        ),
        on_host(
            "launches in thousands of streams",
            "cudaStream_t s[3000]; for (int j = 0; j < 3000; j++) cudaStreamCreate(s + j); \
             for (int j = 0; j < 30000; j++) gray_kernel<<<1, 32, 0, s[j % 3000]>>>(rgb, gray, 0);",
        ),
        on_host(
            "many millions of rows",
            "uint8_t* p; cudaMalloc(&p, 1 << 28); \
             for (int j = 0; j < 6; j++) cudaMemcpy2D(p, 2, p + (1 << 27), 2, 1, 60000000, cudaMemcpyDeviceToDevice);",
        ),
        on_host("a million synchronisations", "for (int j = 0; j < 5000000; j++) cudaDeviceSynchronize();"),
        on_host("a million fills of nothing", "for (int j = 0; j < 5000000; j++) cudaMemset(gray, 0, 0);"),
    ]
}

fn text() -> Vec<File> {
    vec![
        kernel(
            "text",
            "flood of a kernel",
            "    for (int j = 0; j < 1000; j++) printf(\"%d %s\\n\", i, \"warp warp warp warp\");",
        ),
        host(
            "text",
            "flood of the host",
            "    for (int j = 0; j < 10000000; j++) printf(\"warp warp warp warp warp\\n\");",
        ),
        host("text", "a width of two billion", "    printf(\"%2000000000d\", 1);"),
        kernel(
            "text",
            "a width of two billion in a kernel",
            "    printf(\"%*d %.2000000000f\", 2000000000, 1, 1.0);",
        ),
        host("text", "of no pointer", "    printf((const char*)0x10); printf(\"%s\", (const char*)-1);"),
        kernel(
            "text",
            "findings in thousands of lines",
            numbered(2000, "    if (n != -#) gray[i + n + #] = 1;\n"),
        ),
        kernel(
            "text",
            "races in hundreds of lines",
            format!(
                "    __shared__ int z[64];\n{}",
                numbered(500, "    z[(threadIdx.x * (# + 3)) % 64] += #;\n")
            ),
        ),
        before(
            "text",
            "the name of a type that doubles itself",
            "template<class A, class B> struct P {};\n\
             template<int N> struct T { using t = P<typename T<N - 1>::t, typename T<N - 1>::t>; };\n\
             template<> struct T<0> { using t = int; };\nT<14>::t x = 1;",
        ),
        before("text", "escapes in a message", "#error \u{1b}[2J\u{202e}"),
        kernel(
            "text",
            "findings without end",
            "    for (int j = 0; j < 1000; j++) gray[i + n + j * 4096] = 1;",
        ),
    ]
}
