//! Calls and returns, to the program's own functions and to those from outside.
//!
//! A function's registers have fixed columns. One that may be running twice in a thread has them saved when
//! it is entered and restored when it returns, and its local variables lie in a frame per call.

use super::fault::{Fault, FaultKind};
use super::laps;
use super::observer::Observer;
use super::run::{External, Next, Stop, exit, fault, isolate};
use super::warp::{Frame, Path, Wait, Warp};
use crate::decode::{Callee, Copy, FunctionRange, Program};

/// Enters the function that a call names, or leaves the interpreter for one from outside.
pub(super) fn enter<O: Observer>(
    warp: &mut Warp,
    program: &Program,
    observer: &mut O,
    current: usize,
    call: u32,
    active: u32,
    pc: u32,
) -> Result<Next, Fault> {
    isolate(warp, current, active);
    match &program.calls[call as usize].callee {
        Callee::Function { number } => {
            enter_function(warp, program, observer, current, call, *number, pc)?;
            Ok(Next::Reschedule)
        }
        Callee::External { arguments, .. } => {
            let base = base_of_caller(warp, program, current, call);
            let places: Vec<(u32, u32)> = arguments.clone();
            for (&from, (to, bytes)) in program.calls[call as usize].arguments.iter().zip(places) {
                copy_local(warp, observer, Copy { from: base + from, to, bytes }, active);
            }
            Ok(Next::Leave(Stop::External(External { path: current, call, mask: active, pc })))
        }
        Callee::Pointer { register } => {
            let addresses = warp.regs.r64[*register as usize];
            let path = warp.paths.swap_remove(current);
            let mut remaining = active;
            while remaining != 0 {
                let address = addresses[remaining.trailing_zeros() as usize];
                let group = (0..32)
                    .filter(|&lane| remaining >> lane & 1 == 1 && addresses[lane] == address)
                    .fold(0u32, |group, lane| group | 1 << lane);
                let Some(&number) = program.pointers.get(&address) else {
                    let message = format!(
                        "the thread calls a function through a pointer ({address:#x}) that leads to no function"
                    );
                    return Err(fault(warp, pc, group, FaultKind::Trap { message: Some(message) }));
                };
                warp.paths.push(Path { mask: group, wait: Wait::Nothing, ..path.clone() });
                enter_function(warp, program, observer, warp.paths.len() - 1, call, number, pc)?;
                remaining &= !group;
            }
            Ok(Next::Reschedule)
        }
    }
}

/// Where the caller's frame begins: 0 if its variables have fixed places.
fn base_of_caller(warp: &Warp, program: &Program, current: usize, call: u32) -> u32 {
    if program.calls[call as usize].framed {
        warp.paths[current].stack.last().map_or(0, |frame| frame.base)
    } else {
        0
    }
}

fn enter_function<O: Observer>(
    warp: &mut Warp,
    program: &Program,
    observer: &mut O,
    current: usize,
    call: u32,
    number: u32,
    pc: u32,
) -> Result<(), Fault> {
    let function = &program.functions[number as usize];
    let active = warp.paths[current].mask;
    let caller = base_of_caller(warp, program, current, call);
    let top = warp.paths[current].stack.last().map_or(program.stack_start as u32, |frame| frame.top);
    let mut frame = Frame { back: pc + 1, call, function: number, base: 0, top };
    if let Some(bytes) = function.frame_bytes {
        frame.base = top;
        frame.top = top + bytes.next_multiple_of(16);
        if frame.top as usize > program.local_bytes {
            let message = "the thread calls functions so deep within each other that its stack is full: does \
                           the recursion end?";
            return Err(fault(warp, pc, active, FaultKind::Trap { message: Some(message.to_owned()) }));
        }
        save(warp, program, function, active);
        observer.enter(warp, function, &(frame.base..frame.top), active);
        for lane in (0..32).filter(|lane| active >> lane & 1 == 1) {
            warp.regs.r64[program.frame_pointer as usize][lane] = u64::from(frame.base);
        }
    }
    for (&from, &(to, bytes)) in program.calls[call as usize].arguments.iter().zip(&function.parameters) {
        copy_local(warp, observer, Copy { from: caller + from, to: frame.base + to, bytes }, active);
    }
    let path = &mut warp.paths[current];
    path.stack.push(frame);
    path.pc = function.start;
    Ok(())
}

/// Returns from a function; from the kernel itself, the thread ends.
pub(super) fn leave<O: Observer>(
    warp: &mut Warp,
    program: &Program,
    observer: &mut O,
    current: usize,
    active: u32,
) -> Next {
    if warp.paths[current].stack.is_empty() {
        return exit(warp, current, active);
    }
    isolate(warp, current, active);
    let frame = warp.paths[current].stack.pop().expect("the stack is not empty");
    let caller = base_of_caller(warp, program, current, frame.call);
    let function = &program.functions[frame.function as usize];
    for (&to, &(from, bytes)) in program.calls[frame.call as usize].results.iter().zip(&function.returns) {
        copy_local(warp, observer, Copy { from: frame.base + from, to: caller + to, bytes }, active);
    }
    if function.frame_bytes.is_some() {
        restore(warp, program, function, active);
        observer.leave(warp, function, active);
    }
    // Who keeps the address of a local variable finds nothing there.
    let locals = if function.frame_bytes.is_some() { frame.base..frame.top } else { function.locals.clone() };
    if !locals.is_empty() {
        observer.forget(warp, &locals, active);
    }
    warp.paths[current].pc = frame.back;
    laps::step(warp, program, frame.back - 1, frame.back, active);
    Next::Reschedule
}

/// Ends an external call: its result to its place, on to the next instruction.
pub(crate) fn finish_external<O: Observer>(
    warp: &mut Warp,
    program: &Program,
    observer: &mut O,
    external: External,
) {
    let caller = base_of_caller(warp, program, external.path, external.call);
    let call = &program.calls[external.call as usize];
    if let (Callee::External { result: Some((from, bytes)), .. }, Some(&to)) =
        (&call.callee, call.results.first())
    {
        copy_local(warp, observer, Copy { from: *from, to: caller + to, bytes: *bytes }, external.mask);
    }
    warp.paths[external.path].pc = external.pc + 1;
    laps::step(warp, program, external.pc, external.pc + 1, external.mask);
}

/// Copies an argument or a result in each lane's local memory.
fn copy_local<O: Observer>(warp: &mut Warp, observer: &mut O, copy: Copy, mask: u32) {
    observer.copy_local(warp, &[copy], mask);
    let Copy { from, to, bytes } = copy;
    let (from, to, bytes) = (from as usize, to as usize, bytes as usize);
    for lane in (0..32).filter(|lane| mask >> lane & 1 == 1) {
        warp.local_of_mut(lane).copy_within(from..from + bytes, to);
    }
}

/// Keeps the function's registers of each lane on that lane's own stack.
fn save(warp: &mut Warp, program: &Program, function: &FunctionRange, mask: u32) {
    for lane in (0..32).filter(|lane| mask >> lane & 1 == 1) {
        let spill = &mut warp.spilled[lane];
        spill.push(warp.regs.r64[program.frame_pointer as usize][lane]);
        spill.extend(function.r32.clone().map(|column| u64::from(warp.regs.r32[column][lane])));
        spill.extend(function.r64.clone().map(|column| warp.regs.r64[column][lane]));
        spill.extend(function.preds.clone().map(|column| u64::from(warp.regs.pred[column] >> lane & 1)));
    }
}

fn restore(warp: &mut Warp, program: &Program, function: &FunctionRange, mask: u32) {
    const SAVED: &str = "what was saved is restored once";
    for lane in (0..32).filter(|lane| mask >> lane & 1 == 1) {
        let spill = &mut warp.spilled[lane];
        for column in function.preds.clone().rev() {
            let bit = spill.pop().expect(SAVED) as u32;
            let word = &mut warp.regs.pred[column];
            *word = *word & !(1 << lane) | bit << lane;
        }
        for column in function.r64.clone().rev() {
            warp.regs.r64[column][lane] = spill.pop().expect(SAVED);
        }
        for column in function.r32.clone().rev() {
            warp.regs.r32[column][lane] = spill.pop().expect(SAVED) as u32;
        }
        warp.regs.r64[program.frame_pointer as usize][lane] = spill.pop().expect(SAVED);
    }
}
