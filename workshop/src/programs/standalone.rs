//! A test program as a whole CUDA program for nvcc: a `main` that does what the checker does around `run`.

use std::fmt::Write as _;

use super::load::Program;
use checker::programs::Parameter;

/// Its text. The lines of the program keep their numbers.
pub fn text(program: &Program) -> String {
    let mut main = String::from("\n\nint main() {\n");
    let mut names = Vec::new();
    for parameter in &program.header.parameters {
        match parameter {
            Parameter::Input(buffer) => {
                let (name, kind) = (&buffer.name, buffer.element.spelling());
                let bytes: Vec<String> = buffer.bytes.iter().map(ToString::to_string).collect();
                let _ = writeln!(
                    main,
                    "    static const unsigned char {name}_bytes[] = {{{}}};",
                    bytes.join(",")
                );
                let _ = writeln!(main, "    {kind}* {name} = nullptr;");
                let _ = writeln!(main, "    cudaMalloc((void**)&{name}, sizeof {name}_bytes);");
                let _ = writeln!(
                    main,
                    "    cudaMemcpy({name}, {name}_bytes, sizeof {name}_bytes, cudaMemcpyHostToDevice);"
                );
                names.push(name.clone());
            }
            Parameter::Output { buffer, zeroed, .. } => {
                let (name, kind, bytes) = (&buffer.name, buffer.element.spelling(), buffer.bytes.len());
                let _ = writeln!(main, "    {kind}* {name} = nullptr;");
                let _ = writeln!(main, "    cudaMalloc((void**)&{name}, {bytes});");
                if *zeroed {
                    let _ = writeln!(main, "    cudaMemset({name}, 0, {bytes});");
                }
                names.push(name.clone());
            }
            Parameter::Int(_, value) => names.push(value.to_string()),
        }
    }
    let _ = writeln!(main, "    run({});", names.join(", "));
    main.push_str("    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;\n}\n");
    program.text.clone() + &main
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::Header;

    #[test]
    fn a_main_does_what_the_header_says() {
        let source = "// about: Adds.\n// input in: u16[2] = 258\n// output out: zeroed f32[3] = any\n// int n = -4\n\
            // finding: none\n\nkernels";
        let program = Program {
            topic: "topic".into(),
            name: "topic/name".into(),
            file: "name.cu".into(),
            text: source.into(),
            header: Header::read(source).expect("it is right"),
        };
        let text = text(&program);
        assert!(text.starts_with(source), "its lines keep their numbers");
        for line in [
            "static const unsigned char in_bytes[] = {2,1,2,1};",
            "cudaMalloc((void**)&in, sizeof in_bytes);",
            "float* out = nullptr;",
            "cudaMemset(out, 0, 12);",
            "run(in, out, -4);",
        ] {
            assert!(text.contains(line), "{line} is missing in {text}");
        }
    }
}
