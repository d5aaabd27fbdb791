// Functions: recursive ones, pointers to them, virtual ones, tables of branches.
typedef unsigned int u32;
typedef unsigned long long u64;

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__device__ __noinline__ u32 ackermann(u32 m, u32 n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

// Sorts a piece of its caller's local array: frames have to be apart, and reachable from below.
__device__ __noinline__ void sort(int* values, int first, int last, int* depth) {
    int pivots[2] = {values[(first + last) / 2], *depth};
    int i = first, j = last;
    if (++*depth > 1000 || first >= last) return;
    while (i <= j) {
        while (values[i] < pivots[0]) i++;
        while (values[j] > pivots[0]) j--;
        if (i <= j) {
            const int kept = values[i];
            values[i++] = values[j];
            values[j--] = kept;
        }
    }
    sort(values, first, j, pivots + 1);
    sort(values, i, last, pivots + 1);
    *depth += pivots[1] & 1;
}

extern "C" __global__ void recursion(int* out) {
    const int t = threadIdx.x;
    int values[12];
    for (int k = 0; k < 12; k++) values[k] = (t * 37 + k * 101 + (t ^ k) * 13) % 97;
    int depth = 0;
    sort(values, 0, 11, &depth);
    out[16 * t] = fibonacci(t % 12);
    out[16 * t + 1] = (int)ackermann(t & 1, t & 3);
    for (int k = 0; k < 12; k++) out[16 * t + 4 + k] = values[k];
}

// One function calls the other; half of the lanes take another number of calls.
__device__ __noinline__ int odd(int n);
__device__ __noinline__ int even(int n) { return n == 0 ? 1 : odd(n - 1) * 3 % 1009; }
__device__ __noinline__ int odd(int n) { return n == 0 ? 2 : even(n - 1) * 5 % 1013; }
extern "C" __global__ void mutual(int* out) { out[threadIdx.x] = even(threadIdx.x); }

typedef float (*Operation)(float, float);
__device__ __noinline__ float plus(float a, float b) { return a + b; }
__device__ __noinline__ float times(float a, float b) { return a * b; }
__device__ __noinline__ float less(float a, float b) { return a - b; }
__device__ Operation operations[3] = {plus, times, less};

extern "C" __global__ void pointers(const float* in, float* out, int which) {
    const int t = threadIdx.x;
    out[t] = operations[(t + which) % 3](in[t], in[t + 1]);
    Operation chosen = t & 1 ? plus : less;
    if (which > 1) chosen = times;
    out[64 + t] = chosen(out[t], 2.0f);
}

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual int corners() const { return 0; }
};
struct Square : Shape {
    float side;
    __device__ Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
    __device__ int corners() const override { return 4; }
};
struct Circle : Shape {
    float radius;
    __device__ Circle(float r) : radius(r) {}
    __device__ float area() const override { return 3.0f * radius * radius; }
};
extern "C" __global__ void virtuals(float* out) {
    const Square square(threadIdx.x);
    const Circle circle(threadIdx.x + 0.5f);
    const Shape* shape = threadIdx.x % 3 ? (const Shape*)&square : &circle;
    out[2 * threadIdx.x] = shape->area();
    out[2 * threadIdx.x + 1] = shape->corners();
}

extern "C" __global__ void switches(const u32* in, u32* out) {
    const u32 x = in[threadIdx.x];
    u32 r = x;
    switch (x % 11) {
        case 0: r = x * 3; break;
        case 1: r = x ^ 0x55; break;
        case 2: r += 7;
        case 3: r = r / 3; break;
        case 4: r = __popc(x); break;
        case 5: r = x << 3; break;
        case 6: out[64 + threadIdx.x] = 1; break;
        case 7: for (u32 k = 0; k < x % 5; k++) r = r * 31 + k; break;
        case 9: asm volatile("exit;");
        default: r = ~x;
    }
    out[threadIdx.x] = r;
}

// A table of branches as `brx.idx` has it, and a thread that ends inside a function.
__device__ __noinline__ void leave(int t) {
    if (t % 4 == 3) asm volatile("exit;");
}
extern "C" __global__ void jumps(u32* out) {
    const u32 t = threadIdx.x;
    u32 r = 1;
    asm volatile("{\n\t"
        ".reg .u32 i;\n\t"
        "rem.u32 i, %1, 3;\n\t"
        "table: .branchtargets A, B, C;\n\t"
        "brx.idx i, table;\n\t"
        "A: add.u32 %0, %0, 10;\n\t"
        "B: add.u32 %0, %0, 100;\n\t"
        "C: add.u32 %0, %0, 1000;\n\t"
        "}" : "+r"(r) : "r"(t));
    leave(t);
    out[t] = r;
}

template <class F> __device__ __forceinline__ void each(int n, F f) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) f(i);
}
template <int N> struct Power { static __device__ int of(int x) { return x * Power<N - 1>::of(x); } };
template <> struct Power<0> { static __device__ int of(int) { return 1; } };
extern "C" __global__ void lambdas(int* out, int n, int factor) {
    each(n, [=](int i) { out[i] = Power<5>::of(i) * factor; });
    auto count = [&](auto self, int k) -> int { return k == 0 ? 0 : 1 + self(self, k / 2); };
    if (threadIdx.x == 0) out[n] = count(count, n);
}

extern "C" __global__ void talks(int n) {
    if (threadIdx.x == 1) printf("%d %s %.3f %c %llu %%|%5d|%-6x|\n", n, "text", 2.5, 'q', 1ull << 40, -7, 0xabc);
    assert(n > 0);
}
