//! Managed memory: one address on both sides, its contents on one of them at a time.
//!
//! A launch moves to the GPU all managed memory that the host has; the host's first touch moves an allocation back.
//! Here whole allocations move; a real GPU moves only the pages that are touched.

use kernels::HostCall;
use simulator::host::{HostCallError, HostView};
use simulator::{Kind, Label, Location, ManagedVariable, Rows};

use super::clocks::Op;
use super::resources::{Allocation, Managed, Pinned, Side};
use super::shape::label;
use super::state::{Outcome, Refusal, Runtime, finding, malformed};
use crate::codes;

/// Bytes of all managed memory.
const MOST_MANAGED: u64 = 512 << 20;

impl Runtime<'_> {
    /// `cudaMallocManaged`, and `cudaHostAlloc` of memory that kernels can use.
    pub(super) fn malloc_managed(
        &mut self,
        bytes: u64,
        mapped: bool,
        host: &mut HostView<'_>,
    ) -> Outcome<u64> {
        if bytes == 0 {
            return Err(Refusal::Code(codes::INVALID_VALUE));
        }
        self.check_room(bytes)?;
        // Both sides hold its contents.
        let managed: u64 = self.kept.managed.values().map(|managed| managed.bytes).sum();
        if bytes > MOST_MANAGED.saturating_sub(managed) {
            return Err(Refusal::Code(codes::MEMORY_ALLOCATION));
        }
        self.kept.mallocs += 1;
        let call = if mapped { "cudaHostAlloc" } else { "cudaMallocManaged" };
        let name = format!("{call} #{}", self.kept.mallocs);
        let address = self.engine.alloc_managed(bytes, &name)?;
        if !host.alloc_managed(address, bytes, &name) {
            self.engine.free(address)?;
            return Err(Refusal::Code(codes::MEMORY_ALLOCATION));
        }
        let managed =
            Managed { side: Side::Neither, device: address, bytes, used_by: None, mapped, registered: false };
        self.kept.managed.insert(address, managed);
        let allocated_at = Some(host.location().cloned());
        self.kept.allocations.insert(address, Allocation { name, bytes, allocated_at, in_order: false });
        Ok(address)
    }

    /// Makes page-locked memory that a kernel is given memory for both sides, from now on: on a GPU kernels can use all of it, at the
    /// same address.
    pub(super) fn share_locked(&mut self, address: u64, stream: u64, host: &mut HostView<'_>) -> Outcome<()> {
        let Some((base, _)) = self.pinned_at(address, 1) else { return Ok(()) };
        let Some(Pinned { bytes, registered, location }) = self.kept.pinned.get(&base).cloned() else {
            return Ok(());
        };
        if !self.can_share(base, host) {
            return Ok(());
        }
        self.check_room(bytes)?;
        let rows = Rows::line(base, bytes);
        self.fetch_for(rows, stream, host)?;
        self.refuse_in_flight("the launch", rows, "uses", host)?;
        let name = match host.name_at(base) {
            Some(known) if registered => known.to_owned(),
            _ => "cudaMallocHost".to_owned(),
        };
        let device = self.engine.alloc_managed(bytes, &name)?;
        self.kept.pinned.remove(&base);
        self.engine.unpin(base)?;
        let managed = Managed { side: Side::Host, device, bytes, used_by: None, mapped: true, registered };
        self.kept.managed.insert(base, managed);
        let allocated_at = Some(location);
        self.kept.allocations.insert(base, Allocation { name, bytes, allocated_at, in_order: false });
        Ok(())
    }

    /// Makes registered memory the host's alone again.
    pub(super) fn unshare(&mut self, base: u64, host: &mut HostView<'_>) -> Outcome<()> {
        self.bring_to_host(base, host)?;
        let Some(managed) = self.kept.managed.remove(&base) else { return Ok(()) };
        self.kept.allocations.remove(&base);
        Ok(self.engine.free(managed.device)?)
    }

    /// The function returns: its caller finds in registered memory what kernels have written.
    pub(super) fn take_registered_home(&mut self, host: &mut HostView<'_>) -> Outcome<()> {
        let registered = self.kept.managed.iter().filter(|(_, managed)| managed.registered);
        for base in registered.map(|(base, _)| *base).collect::<Vec<u64>>() {
            let known = self.kept.allocations.get(&base).cloned();
            self.unshare(base, host)?;
            let Some(Allocation { bytes, allocated_at, .. }) = known else { continue };
            self.engine.pin(base, bytes)?;
            let location = allocated_at.flatten();
            self.kept.pinned.insert(base, Pinned { bytes, registered: true, location });
        }
        Ok(())
    }

    /// Takes `__managed__` variables for managed memory: the host's address of each stands for the device's.
    pub(super) fn know_variables(&mut self, host: &mut HostView<'_>) {
        if std::mem::replace(&mut self.kept.variables_known, true) {
            return;
        }
        for ManagedVariable { name, address, bytes } in host.managed_variables() {
            let Some((device, _)) = self.engine.symbol(&name) else {
                host.keep(address);
                continue;
            };
            let managed = Managed {
                side: Side::Device,
                device,
                bytes,
                used_by: None,
                mapped: false,
                registered: false,
            };
            self.kept.managed.insert(address, managed);
            let name = format!("{} (__managed__)", label(&name));
            self.kept
                .allocations
                .insert(address, Allocation { name, bytes, allocated_at: None, in_order: false });
            self.kept.variables.insert(device, address);
        }
    }

    /// The device's address of what a kernel's argument points to in a `__managed__` variable.
    pub(super) fn on_device(&self, address: u64) -> Option<u64> {
        let base = self.managed_at(address)?;
        let device = self.kept.managed[&base].device;
        (device != base).then(|| device + (address - base))
    }

    /// The host's addresses of the `__managed__` variables of these names.
    pub(super) fn addresses_of(&mut self, names: &[String]) -> Vec<u64> {
        let devices: Vec<u64> =
            names.iter().filter_map(|name| self.engine.symbol(name)).map(|(device, _)| device).collect();
        devices.iter().filter_map(|device| self.kept.variables.get(device).copied()).collect()
    }

    /// Forgets a managed allocation that is about to be freed.
    pub(super) fn forget_managed(&mut self, address: u64, host: &mut HostView<'_>) {
        if self.kept.managed.remove(&address).is_some() {
            host.free(address);
        }
    }

    /// The managed allocation that an address lies in.
    pub(super) fn managed_at(&self, address: u64) -> Option<u64> {
        let (base, managed) = self.kept.managed.range(..=address).next_back()?;
        (address - base < managed.bytes).then_some(*base)
    }

    /// Whether the contents of the managed allocation at this base are in host memory.
    pub(super) fn managed_is_on_host(&self, base: u64) -> bool {
        self.kept.managed.get(&base).is_some_and(|managed| managed.side == Side::Host)
    }

    /// Moves a managed allocation to the GPU.
    pub(super) fn take_to_device(&mut self, base: u64, host: &mut HostView<'_>) -> Outcome<()> {
        let Some(managed) = self.kept.managed.get(&base) else { return Ok(()) };
        if managed.side == Side::Host {
            let (bytes, device) = (managed.bytes, managed.device);
            self.charge_move(bytes, host)?;
            let unset = host.undefined(base, bytes);
            self.engine.migrate_to_device(device, &host.read(base, bytes)?)?;
            for part in unset {
                self.engine.copied_unset(device + part.start, part.end - part.start, None)?;
            }
            host.send_away(base);
        }
        if let Some(managed) = self.kept.managed.get_mut(&base) {
            managed.side = Side::Device;
        }
        Ok(())
    }

    /// Moves all managed memory that the host has to the GPU: a kernel may reach any of it.
    pub(super) fn take_all_to_device(&mut self, host: &mut HostView<'_>) -> Outcome<()> {
        let bases: Vec<u64> = self.kept.managed.keys().copied().collect();
        bases.into_iter().try_for_each(|base| {
            if self.managed_is_on_host(base) { self.take_to_device(base, host) } else { Ok(()) }
        })
    }

    /// Records that an operation uses the managed memory that these addresses lie in.
    pub(super) fn used_by(&mut self, addresses: &[u64], op: Op, what: &str, location: Option<&Location>) {
        for address in addresses {
            let Some(base) = self.managed_at(*address) else { continue };
            if let Some(managed) = self.kept.managed.get_mut(&base) {
                if managed.side == Side::Neither {
                    self.engine.touched_first(managed.bytes);
                }
                managed.side = Side::Device;
                managed.used_by = Some((op, what.to_owned(), location.cloned()));
            }
        }
    }

    /// A copy in this stream comes after the kernels before it that use page-locked memory: it may use it too.
    pub(super) fn follows_kernels(&mut self, addresses: &[u64], stream: u64) {
        for address in addresses {
            let Some(base) = self.managed_at(*address) else { continue };
            let clocks = &self.kept.clocks;
            if let Some(managed) = self.kept.managed.get_mut(&base)
                && managed.mapped
                && managed.used_by.as_ref().is_some_and(|(op, ..)| clocks.is_before(*op, stream))
            {
                managed.used_by = None;
            }
        }
    }

    /// Moves a managed allocation to the host, which touches it; an error if the GPU may still be using it.
    pub(super) fn bring_to_host(&mut self, base: u64, host: &mut HostView<'_>) -> Outcome<()> {
        let Some(managed) = self.kept.managed.get(&base).cloned() else { return Ok(()) };
        if let Some((op, what, location)) = &managed.used_by
            && !self.kept.clocks.is_done(*op)
        {
            let name = self.kept.allocations.get(&base).map_or("managed memory", |known| known.name.as_str());
            let mut found = finding(
                "W0620",
                Kind::Race,
                format!("the host function touches `{name}` while {what} may still be using it"),
                "call `cudaDeviceSynchronize()` before the host reads or writes memory that kernels use, too: a launch returns \
                 before the kernel has run",
            );
            found.labels.extend(
                location
                    .clone()
                    .map(|location| Label { location, text: format!("{what}: nothing waits for its end") }),
            );
            return Err(Refusal::End(HostCallError::Finding(Box::new(found))));
        }
        let (bytes, unset) = match managed.side {
            Side::Host => return Ok(()),
            Side::Neither => (Vec::new(), std::iter::once(0..managed.bytes).collect()),
            Side::Device => {
                let device = managed.device;
                self.charge_move(managed.bytes, host)?;
                let mut bytes = vec![0; managed.bytes as usize];
                self.engine.migrate_to_host(device, &mut bytes)?;
                (bytes, self.engine.undefined(device, managed.bytes))
            }
        };
        host.bring_back(base, &bytes)?;
        host.unset(base, &unset);
        self.kept.managed.insert(base, Managed { side: Side::Host, ..managed });
        Ok(())
    }

    /// `cudaMemPrefetchAsync`, `cudaMemAdvise`: accepted for managed memory, without effect.
    pub(super) fn managed_hint(&mut self, words: &[u64], host: &HostView<'_>) -> Outcome<()> {
        let &[address, bytes] = words else { return Err(malformed(HostCall::ManagedHint)) };
        let managed = self.managed_at(address).is_some();
        if managed && self.allocation_at(address).is_some_and(|(_, room)| bytes <= room) {
            return Ok(());
        }
        let found = finding(
            "W0612",
            Kind::Host,
            if managed {
                format!("this hint is about {bytes} bytes, and the managed memory ends before that")
            } else {
                "this hint is for managed memory, and the address is not in managed memory".to_owned()
            },
            "pass a pointer from `cudaMallocManaged`, and at most the bytes that it was allocated with",
        );
        self.refuse(host, codes::INVALID_VALUE, found)
    }
}
