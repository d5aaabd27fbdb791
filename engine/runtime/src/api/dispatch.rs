//! The dispatch of runtime calls: which method carries out which call.

use kernels::HostCall;
use simulator::Kind;
use simulator::host::{HostCallError, HostCalls, HostView};

use super::state::{Outcome, Refusal, Runtime, finding};
use crate::codes;
use crate::engine::ImageKind;

impl Runtime<'_> {
    fn dispatch(&mut self, call: HostCall, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        self.know_variables(host);
        if self.captured(call, words, host)? { Ok(()) } else { self.carry_out_call(call, words, host) }
    }

    pub(super) fn carry_out_call(
        &mut self,
        call: HostCall,
        words: &[u64],
        host: &mut HostView<'_>,
    ) -> Outcome<()> {
        match call {
            HostCall::Launch => self.launch(words, host),
            HostCall::LaunchKernel => self.launch_by_pointer(words, false, host),
            HostCall::LaunchCooperative => self.launch_by_pointer(words, true, host),
            HostCall::Malloc => self.malloc(words, host),
            HostCall::Free => self.free(words, host),
            HostCall::MallocPitch => self.malloc_pitch(words, host),
            HostCall::MemGetInfo => self.mem_get_info(words, host),
            HostCall::Memcpy => self.memcpy(words, host),
            HostCall::Memcpy2D => self.memcpy_2d(words, host),
            HostCall::Memset => self.memset(words, host),
            HostCall::Memset2D => self.memset_2d(words, host),
            HostCall::MemcpyToSymbol => self.memcpy_to_symbol(words, host),
            HostCall::MemcpyFromSymbol => self.memcpy_from_symbol(words, host),
            HostCall::GetSymbolAddress => self.symbol_address(words, host),
            HostCall::GetSymbolSize => self.symbol_size(words, host),
            HostCall::DeviceSynchronize => self.wait_for_all(host),
            HostCall::StreamCreate => self.stream_create(words, host),
            HostCall::StreamDestroy => self.stream_destroy(words[0]),
            HostCall::StreamSynchronize => self.stream_synchronize(words[0], host),
            HostCall::StreamQuery => self.stream_query(words[0], host),
            HostCall::StreamWaitEvent => self.stream_wait_event(words),
            HostCall::EventCreate => self.event_create(words, host),
            HostCall::EventDestroy => self.event_destroy(words[0]),
            HostCall::EventRecord => self.event_record(words),
            HostCall::EventSynchronize => self.event_synchronize(words[0], host),
            HostCall::EventQuery => self.event_query(words[0], host),
            HostCall::BeginCapture => self.begin_capture(words),
            HostCall::EndCapture => self.end_capture(words, host),
            HostCall::CaptureStatus => self.capture_status(words, host),
            HostCall::GraphInstantiate => self.instantiate(words, host),
            HostCall::GraphLaunch => self.graph_launch(words, host),
            HostCall::GraphDestroy => self.graph_destroy(words[0]),
            HostCall::HostFunction => self.host_function(words, host),
            HostCall::GraphCreate => self.graph_create(words, host),
            HostCall::GraphAdd => self.graph_add(words, host),
            HostCall::GraphSetLaunch => self.graph_set_launch(words),
            HostCall::GraphUpdate => self.graph_update(words),
            HostCall::GraphNodes => self.graph_nodes(words, host),
            HostCall::EventElapsedTime => self.event_elapsed(words, host),
            HostCall::GetDeviceProperties => self.device_properties(words, host),
            HostCall::DeviceGetAttribute => self.device_attribute(words, host),
            HostCall::GetDevice => Ok(host.write(words[0], &0_i32.to_le_bytes())?),
            HostCall::GetDeviceCount => Ok(host.write(words[0], &1_i32.to_le_bytes())?),
            HostCall::SetDevice if words[0] == 0 => Ok(()),
            HostCall::SetDevice => Err(Refusal::Code(codes::INVALID_DEVICE)),
            HostCall::FuncGetAttributes => self.func_attributes(words, host),
            HostCall::PointerGetAttributes => self.pointer_attributes(words, host),
            HostCall::FuncSetAttribute => self.func_set_attribute(words, host),
            HostCall::OccupancyMaxActiveBlocks => self.max_active_blocks(words, host),
            HostCall::GetLastError | HostCall::PeekAtLastError => Ok(()),
            HostCall::MallocArray => self.malloc_array(words, host),
            HostCall::FreeArray => self.free_array(words[0], host),
            HostCall::ArrayGetInfo => self.array_info(words, host),
            HostCall::Memcpy2DToArray => self.array_copy(false, words, host),
            HostCall::Memcpy2DFromArray => self.array_copy(true, words, host),
            HostCall::CreateTexture => self.create_texture(words, host),
            HostCall::CreateSurface => self.create_surface(words, host),
            HostCall::DestroyTexture => self.destroy_image(ImageKind::Texture, words[0], host),
            HostCall::DestroySurface => self.destroy_image(ImageKind::Surface, words[0], host),
            HostCall::HostRegister => self.host_register(words, host),
            HostCall::HostUnregister => self.host_unregister(words[0], host),
            HostCall::HostGetDevicePointer => self.host_device_pointer(words, host),
            HostCall::ManagedHint => self.managed_hint(words, host),
            HostCall::Exit => {
                let ended = finding(
                    "W0617",
                    Kind::Host,
                    format!("the host function calls `exit({})`", words[0] as i32),
                    "return from the function instead of calling `exit`, so that the check can continue; if your code printed \
                     an error message before, fix that error first",
                );
                Err(Refusal::End(HostCallError::Finding(Box::new(ended))))
            }
        }
    }

    /// The `cudaError_t` that the call returns; an error if the host function cannot continue.
    fn code_of(&mut self, refusal: Refusal) -> Result<i32, HostCallError> {
        match refusal {
            Refusal::Code(code) => Ok(code),
            Refusal::End(error) => Err(error),
            Refusal::Crash(code, message) => {
                // The context stays broken until the process ends; `job` reads the crash from here.
                let text = format!("error {code}: {message}");
                self.crash = Some((code, message));
                Err(HostCallError::Engine(text))
            }
        }
    }
}

impl HostCalls for Runtime<'_> {
    fn call(&mut self, id: i32, arguments: u64, host: &mut HostView<'_>) -> Result<i32, HostCallError> {
        let Some((call, count)) = HostCall::from_number(id) else {
            return Err(HostCallError::Engine(format!(
                "the host code made runtime call {id}, which this runtime does not know"
            )));
        };
        let words = if count == 0 { Vec::new() } else { host.read_u64s(arguments, count)? };
        if let Err(refusal) = self.computed(host.executed()).map_err(Refusal::from) {
            return self.code_of(refusal);
        }
        match call {
            HostCall::GetLastError => return Ok(std::mem::take(&mut self.last_error)),
            HostCall::PeekAtLastError => return Ok(self.last_error),
            _ => {}
        }
        let carried_out = self.charge(call, &words, host).and_then(|()| self.dispatch(call, &words, host));
        match carried_out {
            Ok(()) => Ok(0),
            Err(refusal) => {
                let code = self.code_of(refusal)?;
                self.last_error = code;
                Ok(code)
            }
        }
    }

    fn touch(&mut self, address: u64, bytes: u64, host: &mut HostView<'_>) -> Result<(), HostCallError> {
        let Err(refusal) = self.touched(address, bytes, host) else { return Ok(()) };
        let code = self.code_of(refusal)?;
        Err(HostCallError::Engine(format!("failed to fetch managed memory: error {code}")))
    }

    fn expects(&self) -> bool {
        self.awaits_function()
    }

    fn time_passes(&mut self, host: &mut HostView<'_>) -> Result<(), HostCallError> {
        let Err(refusal) = self.sees_function(host) else { return Ok(()) };
        let code = self.code_of(refusal)?;
        Err(HostCallError::Engine(format!("failed to show what a host function wrote: error {code}")))
    }

    fn ends(&mut self, host: &mut HostView<'_>) -> Result<(), HostCallError> {
        let Err(refusal) = self.take_registered_home(host) else { return Ok(()) };
        let code = self.code_of(refusal)?;
        Err(HostCallError::Engine(format!("failed to fetch registered memory: error {code}")))
    }
}
