//! Operand names to register columns, while one program is built.

use std::collections::HashMap;

use super::lower::{Unsupported, place_shared};
use super::program::{Program, Special, Symbols};
use crate::isa::Slot;
use crate::isa::table;
use crate::isa::{Action, Class, Inst};
use crate::ptx::ast::{AddressBase, Operand, Space, Type, Variable};

/// A register column: file and number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Register {
    /// File.
    pub slot: Slot,
    /// Number in it.
    pub index: u16,
}

/// Names visible in the function being decoded.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    /// Registers.
    pub registers: HashMap<String, Register>,
    /// Variables with an offset in their state space.
    pub variables: HashMap<String, (Space, u64)>,
    /// The function is a kernel: its parameters are in the parameter block, not in local memory.
    pub kernel: bool,
    /// Its local variables lie in a frame: their offsets are from where it begins.
    pub framed: bool,
}

/// A program under construction.
#[derive(Debug)]
pub(crate) struct Builder<'a> {
    pub program: Program,
    pub scope: Scope,
    pub symbols: &'a Symbols,
    /// PTX line of the instruction being decoded, for errors, and its source location.
    pub line: u32,
    pub location: u32,
    /// `.shared` variables of module scope; placed when a reachable function first names them.
    pub module_shared: HashMap<&'a str, &'a Variable>,
    /// Bytes of each variable in constant memory.
    pub constant_sizes: HashMap<&'a str, u64>,
    /// Where dynamic shared memory begins.
    pub dynamic_shared: u64,
    /// The predicate column of the condition code, once something uses it.
    condition: Option<u16>,
    placed_shared: HashMap<&'a str, u64>,
    constants: HashMap<(u8, u64), u16>,
    specials: HashMap<Special, u16>,
}

/// Columns that no operand names: the executor brings the operands of lanes at different places together here.
pub(crate) struct Scratch {
    pub a: u16,
    pub b: u16,
    pub c: u16,
    pub e: u16,
    pub d: u16,
    /// 64-bit.
    pub wide: u16,
    /// Predicate.
    pub p: u16,
}

/// The first columns of each file.
pub(crate) const SCRATCH: Scratch = Scratch { a: 0, b: 1, c: 2, e: 3, d: 4, wide: 0, p: 1 };

/// The file that holds a type.
pub(crate) fn slot_of(ty: Type) -> Option<Slot> {
    match ty {
        Type::B64 | Type::U64 | Type::S64 | Type::F64 | Type::TexRef | Type::SurfRef | Type::SamplerRef => {
            Some(Slot::R64)
        }
        Type::Pred => Some(Slot::Pred),
        Type::B128 => None,
        _ => Some(Slot::R32),
    }
}

impl<'a> Builder<'a> {
    pub fn new(symbols: &'a Symbols, name: &str) -> Self {
        // Predicate 0 is always true: the guard of unguarded instructions.
        let program = Program {
            name: name.to_owned(),
            r32: 5,
            r64: 1,
            preds: 2,
            constant_preds: vec![(0, true)],
            ..Program::default()
        };
        Self {
            program,
            scope: Scope::default(),
            symbols,
            line: 0,
            location: 0,
            module_shared: HashMap::new(),
            constant_sizes: HashMap::new(),
            dynamic_shared: 0,
            condition: None,
            placed_shared: HashMap::new(),
            constants: HashMap::from([((2, 1), 0)]),
            specials: HashMap::new(),
        }
    }

    pub fn error<T>(&self, message: impl Into<String>) -> Result<T, Unsupported> {
        Err(Unsupported { line: self.line, message: message.into() })
    }

    /// A fresh column.
    pub fn fresh(&mut self, slot: Slot) -> Result<Register, Unsupported> {
        let count = match slot {
            Slot::R32 => &mut self.program.r32,
            Slot::R64 => &mut self.program.r64,
            Slot::Pred => &mut self.program.preds,
        };
        let Ok(index) = u16::try_from(*count) else {
            return self.error("a kernel with more than 65,536 virtual registers");
        };
        *count += 1;
        Ok(Register { slot, index })
    }

    /// The column that holds a value for good.
    pub fn constant(&mut self, slot: Slot, value: u64) -> Result<u16, Unsupported> {
        let value = match slot {
            Slot::R32 => value & 0xffff_ffff,
            Slot::R64 => value,
            Slot::Pred => u64::from(value != 0),
        };
        let key = (slot as u8, value);
        if let Some(&index) = self.constants.get(&key) {
            return Ok(index);
        }
        let index = self.fresh(slot)?.index;
        match slot {
            Slot::R32 => self.program.constants32.push((index, value as u32)),
            Slot::R64 => self.program.constants64.push((index, value)),
            Slot::Pred => self.program.constant_preds.push((index, value != 0)),
        }
        self.constants.insert(key, index);
        Ok(index)
    }

    fn special(&mut self, special: Special) -> Result<u16, Unsupported> {
        if let Some(&index) = self.specials.get(&special) {
            return Ok(index);
        }
        let index = self.fresh(Slot::R32)?.index;
        self.program.specials.push((index, special));
        self.specials.insert(special, index);
        Ok(index)
    }

    /// The predicate column of the condition code (`add.cc`, `addc`).
    pub fn condition_code(&mut self) -> Result<u16, Unsupported> {
        if let Some(column) = self.condition {
            return Ok(column);
        }
        let column = self.fresh(Slot::Pred)?.index;
        self.condition = Some(column);
        // Read before anything wrote it, it must not be another block's.
        self.program.undefined.push((Slot::Pred, column));
        Ok(column)
    }

    /// A register by name, special registers included.
    pub fn register(&mut self, name: &str) -> Result<Register, Unsupported> {
        if let Some(&register) = self.scope.registers.get(name) {
            return Ok(register);
        }
        match special(name) {
            Some(special) => Ok(Register { slot: Slot::R32, index: self.special(special)? }),
            None => self.error(format!("the register `{name}` is not supported")),
        }
    }

    /// Appends an instruction with the current position and no guard.
    pub fn emit(&mut self, action: Action, class: Class, d: u16, sources: [u16; 4]) {
        let [a, b, c, e] = sources;
        assert!(
            !matches!(action, Action::Compute(_)) || self.program.rows.len() > self.program.code.len(),
            "computing instructions go through `emit_compute`"
        );
        self.program.rows.resize(self.program.code.len() + 1, None);
        self.program.lines.push(self.line);
        self.program.code.push(Inst {
            action,
            guard: 0,
            guard_negated: false,
            d,
            a,
            b,
            c,
            e,
            class,
            location: self.location,
        });
    }

    /// Appends a computing instruction, and notes its row for those who watch values.
    pub fn emit_compute(&mut self, row: &'static table::Row, d: u16, sources: [u16; 4]) {
        self.program.rows.resize(self.program.code.len(), None);
        self.program.rows.push(Some(row));
        self.emit(Action::Compute(row.run), row.class, d, sources);
    }

    /// Appends a row of the table by its internal spelling.
    pub fn emit_row(&mut self, spelling: &str, d: u16, sources: &[u16]) {
        let row = table::row(spelling).expect("an internal spelling stands in the table");
        let mut all = [0; 4];
        all[..sources.len()].copy_from_slice(sources);
        self.emit_compute(row, d, all);
    }

    /// The column of a source operand in the given file; narrows, widens and negates where PTX allows it.
    pub fn source(&mut self, operand: &Operand, slot: Slot) -> Result<u16, Unsupported> {
        match operand {
            Operand::Register(name) | Operand::Symbol { name, .. } if name == "WARP_SZ" => {
                self.constant(slot, crate::isa::LANES as u64)
            }
            Operand::Register(name) => {
                let register = self.register(name)?;
                self.in_slot(register, slot)
            }
            Operand::Negated(name) => {
                let register = self.register(name)?;
                let negated = self.fresh(Slot::Pred)?.index;
                self.emit_row("not.pred", negated, &[register.index]);
                Ok(negated)
            }
            Operand::Integer(value) => self.constant(slot, *value as u64),
            Operand::Float { bits, single } => {
                let bits = match (slot, single) {
                    (Slot::R32, false) => u64::from((f64::from_bits(*bits) as f32).to_bits()),
                    (Slot::R64, true) => f64::from(f32::from_bits(*bits as u32)).to_bits(),
                    _ => *bits,
                };
                self.constant(slot, bits)
            }
            Operand::Symbol { name, offset } if self.in_frame(name) => {
                let start = self.address_of(name)?.wrapping_add_signed(*offset);
                let start = self.constant(Slot::R64, start)?;
                let address = self.fresh(Slot::R64)?.index;
                self.emit_row("add.u64", address, &[self.program.frame_pointer, start]);
                self.in_slot(Register { slot: Slot::R64, index: address }, slot)
            }
            Operand::Symbol { name, offset } => {
                let address = self.address_of(name)?.wrapping_add_signed(*offset);
                self.constant(slot, address)
            }
            _ => self.error("an operand of this shape is not supported here"),
        }
    }

    fn in_slot(&mut self, register: Register, slot: Slot) -> Result<u16, Unsupported> {
        match (register.slot, slot) {
            (have, want) if have == want => Ok(register.index),
            (Slot::R64, Slot::R32) => {
                let narrow = self.fresh(Slot::R32)?.index;
                self.emit_row("~truncate", narrow, &[register.index]);
                Ok(narrow)
            }
            (Slot::R32, Slot::R64) => {
                let wide = self.fresh(Slot::R64)?.index;
                self.emit_row("~extend.u", wide, &[register.index]);
                Ok(wide)
            }
            _ => self.error("a predicate stands where a value is needed, or the other way round"),
        }
    }

    /// The column of a destination operand, and what must follow to widen the result.
    pub fn destination(&mut self, operand: &Operand, slot: Slot) -> Result<(u16, Option<u16>), Unsupported> {
        match operand {
            Operand::Register(name) if name == "_" => Ok((self.fresh(slot)?.index, None)),
            Operand::Sink => Ok((self.fresh(slot)?.index, None)),
            Operand::Register(name) => {
                let register = self.register(name)?;
                match (register.slot, slot) {
                    (have, want) if have == want => Ok((register.index, None)),
                    (Slot::R64, Slot::R32) => Ok((self.fresh(Slot::R32)?.index, Some(register.index))),
                    _ => self.error(format!("`{name}` is too narrow for this result")),
                }
            }
            _ => self.error("a destination of this shape is not supported here"),
        }
    }

    /// Whether the name is that of a variable in a frame.
    pub fn in_frame(&self, name: &str) -> bool {
        self.scope.framed && matches!(self.scope.variables.get(name), Some((Space::Local, _)))
    }

    /// The value of a name: address in its state space (global: the address itself).
    pub fn address_of(&mut self, name: &str) -> Result<u64, Unsupported> {
        if let Some(&(_, offset)) = self.scope.variables.get(name) {
            return Ok(offset);
        }
        if let Some(&address) = self.symbols.variables.get(name) {
            return Ok(address);
        }
        if let Some((&name, &variable)) = self.module_shared.get_key_value(name) {
            if let Some(&offset) = self.placed_shared.get(name) {
                return Ok(offset);
            }
            let offset = place_shared(self, variable);
            self.placed_shared.insert(name, offset);
            return Ok(offset);
        }
        match self.symbols.functions.get(name) {
            Some(&index) => Ok(self.symbols.layout.function_address(index)),
            None => self.error(format!("`{name}` is not declared")),
        }
    }

    /// An address operand as base column, whether it is 64-bit, and offset.
    pub fn address(&mut self, operand: &Operand) -> Result<(u16, bool, i64), Unsupported> {
        let (base, offset) = match operand {
            Operand::Address { base, offset } => (base.clone(), *offset),
            // `st.param [p+0]` in calls, and `[retval]` without brackets in some dialects.
            Operand::Symbol { name, offset } => (AddressBase::Symbol(name.clone()), *offset),
            Operand::Register(name) => (AddressBase::Register(name.clone()), 0),
            _ => return self.error("an address of this shape is not supported"),
        };
        match base {
            AddressBase::Register(name) => {
                let register = self.register(&name)?;
                match register.slot {
                    Slot::R64 => Ok((register.index, true, offset)),
                    Slot::R32 => Ok((register.index, false, offset)),
                    Slot::Pred => self.error("a predicate is no address"),
                }
            }
            AddressBase::Symbol(name) if self.in_frame(&name) => {
                let start = self.address_of(&name)?;
                Ok((self.program.frame_pointer, true, offset.wrapping_add_unsigned(start)))
            }
            AddressBase::Symbol(name) => {
                let address = self.address_of(&name)?;
                Ok((self.constant(Slot::R64, address)?, true, offset))
            }
            AddressBase::Absolute => Ok((self.constant(Slot::R64, 0)?, true, offset)),
        }
    }
}

/// A special register by its PTX name.
fn special(name: &str) -> Option<Special> {
    let (name, axis) = match name.rsplit_once('.') {
        Some((name, "x")) => (name, 0),
        Some((name, "y")) => (name, 1),
        Some((name, "z")) => (name, 2),
        Some(_) => return None,
        None => (name, 0),
    };
    Some(match name {
        "%tid" => Special::Tid(axis),
        "%ntid" => Special::Ntid(axis),
        // Without clusters, each block is one of its own.
        "%ctaid" | "%clusterid" => Special::Ctaid(axis),
        "%nctaid" | "%nclusterid" => Special::Nctaid(axis),
        "%laneid" => Special::LaneId,
        "%warpid" => Special::WarpId,
        "%nwarpid" => Special::NWarpId,
        "%smid" => Special::SmId,
        "%nsmid" => Special::NSmId,
        "%lanemask_eq" => Special::LaneMaskEq,
        "%lanemask_le" => Special::LaneMaskLe,
        "%lanemask_lt" => Special::LaneMaskLt,
        "%lanemask_ge" => Special::LaneMaskGe,
        "%lanemask_gt" => Special::LaneMaskGt,
        "%dynamic_smem_size" => Special::DynamicShared,
        "%total_smem_size" | "%aggr_smem_size" => Special::TotalShared,
        "%cluster_nctaid" | "%cluster_nctarank" => Special::One,
        "%cluster_ctaid" | "%cluster_ctarank" | "%is_explicit_cluster" | "%gridid" => Special::Zero,
        "%envreg1" => Special::Cooperative,
        _ if name.starts_with("%envreg") || name.starts_with("%pm") || name.starts_with("%reserved_smem") => {
            Special::Zero
        }
        _ => return None,
    })
}
