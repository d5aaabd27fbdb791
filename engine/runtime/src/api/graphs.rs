//! CUDA graphs that are captured from streams, or built node by node. What is captured is kept with its arguments; each launch of the
//! graph carries it out in the order of the calls, with the order between its streams that events gave it. A node is captured by
//! itself, then added: it has a stream of its own, which waits for the events of the nodes before it.
//!
//! A function of the host is called by the wrapper of the launch, which then goes on. Left out: graphs that are copied, and changes of other
//! nodes than launches. A launch of a graph costs what its parts cost.

use std::collections::{BTreeMap, VecDeque};

use kernels::HostCall;
use simulator::host::HostView;
use simulator::{Kind, Location, TouchedRanges as Touched};

use super::clocks::{DEFAULT, Op, VectorClocks};
use super::launch::Launch;
use super::state::{Outcome, Refusal, Runtime, finding, malformed};
use crate::codes;

/// `cudaStreamCaptureModeRelaxed`
const RELAXED: u64 = 2;
/// `cudaStreamCaptureStatusActive`, `cudaStreamCaptureStatusInvalidated`
const ACTIVE: i32 = 1;
const INVALIDATED: i32 = 2;

/// Parts of a graph that is built node by node, with what they wait for: each graph may become a part of another.
const MOST_PARTS: usize = 10_000;

/// A capture in progress.
#[derive(Debug)]
pub(super) struct Capture {
    /// The stream that began it.
    origin: u64,
    relaxed: bool,
    invalid: bool,
    nodes: Vec<Node>,
    /// What is ordered before what.
    order: VectorClocks,
    /// The last operation of each stream that takes part.
    last: BTreeMap<u64, Op>,
    /// Events that were recorded in it, as marks of `order`.
    events: BTreeMap<u64, usize>,
}

/// A launch that waits for a function of the host, which runs.
#[derive(Debug)]
pub(super) struct GraphRest {
    /// Where the launch is told of the function.
    next: u64,
    nodes: VecDeque<Node>,
    /// The engine's numbers of events that were recorded.
    marks: BTreeMap<u64, usize>,
    /// The stream of the function.
    function_in: u64,
}

/// Something that was captured.
#[derive(Debug, Clone)]
enum Node {
    Launch(Box<Launch>),
    /// A copy, a fill, or the use of an event, with its words.
    Call(HostCall, Vec<u64>),
}

/// A graph, or one that is ready to be launched.
#[derive(Debug, Clone)]
pub(super) struct Graph {
    origin: u64,
    nodes: Vec<Node>,
    /// The line that created it.
    pub made_at: Option<Location>,
    /// Whether it can be launched.
    pub executable: bool,
    /// The streams of its launches, by those of the capture; all but the one that began it.
    branches: BTreeMap<u64, u64>,
    /// The event that each node waits for, if nodes can be added.
    begun: Option<u64>,
}

impl Graph {
    pub(super) fn has_branch(&self, stream: u64) -> bool {
        self.branches.values().any(|branch| *branch == stream)
    }
}

impl Capture {
    fn takes_part(&self, stream: u64) -> bool {
        self.last.contains_key(&stream)
    }

    fn add(&mut self, stream: u64, node: Node) {
        let (op, _) = self.order.add(stream, "", None, Touched::default());
        self.last.insert(stream, op);
        self.nodes.push(node);
    }

    /// Whether the stream that began it waits for all others in the end.
    fn joined(&self) -> bool {
        self.last.values().all(|op| self.order.is_before(*op, self.origin))
    }
}

impl Runtime<'_> {
    pub(super) fn begin_capture(&mut self, words: &[u64]) -> Outcome<()> {
        let &[stream, mode] = words else { return Err(malformed(HostCall::BeginCapture)) };
        let origin = self.check_stream(stream)?;
        if origin == DEFAULT {
            return Err(Refusal::Code(codes::CAPTURE_UNSUPPORTED));
        }
        if self.kept.capture.is_some() {
            return Err(Refusal::Code(codes::INVALID_VALUE));
        }
        let mut capture = Capture {
            origin,
            relaxed: mode == RELAXED,
            invalid: false,
            nodes: Vec::new(),
            order: VectorClocks::default(),
            last: BTreeMap::new(),
            events: BTreeMap::new(),
        };
        capture.join(origin);
        self.kept.capture = Some(capture);
        Ok(())
    }

    pub(super) fn end_capture(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[stream, result] = words else { return Err(malformed(HostCall::EndCapture)) };
        let stream = self.check_stream(stream)?;
        let Some(capture) = self.kept.capture.take_if(|capture| capture.origin == stream) else {
            return Err(Refusal::Code(codes::INVALID_VALUE));
        };
        host.write(result, &0_u64.to_le_bytes())?;
        if capture.invalid {
            return Err(Refusal::Code(codes::CAPTURE_INVALIDATED));
        }
        if !capture.joined() {
            let found = finding(
                "W0632",
                Kind::Host,
                "the capture ends while work in another stream is part of it: nothing makes the stream that began the capture wait for that work".to_owned(),
                "before `cudaStreamEndCapture`, call `cudaEventRecord` in the other stream after its last call, and `cudaStreamWaitEvent` in \
                 the stream that began the capture",
            );
            return self.refuse(host, codes::CAPTURE_UNJOINED, found);
        }
        let graph = Graph {
            origin: capture.origin,
            nodes: capture.nodes,
            made_at: host.location().cloned(),
            executable: false,
            branches: BTreeMap::new(),
            begun: None,
        };
        let handle = self.handle();
        self.kept.graphs.insert(handle, graph);
        Ok(host.write(result, &handle.to_le_bytes())?)
    }

    pub(super) fn graph_create(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[result] = words else { return Err(malformed(HostCall::GraphCreate)) };
        let (origin, begun) = (self.handle(), self.handle());
        let graph = Graph {
            origin,
            nodes: vec![Node::record(begun, origin)],
            made_at: host.location().cloned(),
            executable: false,
            branches: BTreeMap::new(),
            begun: Some(begun),
        };
        let handle = self.handle();
        self.kept.graphs.insert(handle, graph);
        Ok(host.write(result, &handle.to_le_bytes())?)
    }

    pub(super) fn graph_add(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[graph, part, before, count, result] = words else { return Err(malformed(HostCall::GraphAdd)) };
        let part = self.graph(part, false)?.clone();
        let target = self.graph(graph, false)?;
        let (origin, begun) = (target.origin, target.begun.ok_or(Refusal::Code(codes::INVALID_VALUE))?);
        let known = |event: &u64| target.nodes.iter().any(|node| node.records(*event));
        let most = (count as usize).min(target.nodes.len());
        let mut waits = if most == 0 { Vec::new() } else { host.read_u64s(before, most)? };
        waits.insert(0, begun);
        if !waits.iter().all(known) {
            return Err(Refusal::Code(codes::INVALID_VALUE));
        }
        let (stream, done) = (self.handle(), self.handle());
        let mut streams = BTreeMap::from([(part.origin, stream)]);
        let mut nodes: Vec<Node> = waits.into_iter().map(|event| Node::wait(stream, event)).collect();
        for mut node in part.nodes {
            *node.stream_mut() = *streams.entry(node.stream()).or_insert_with(|| self.handle());
            nodes.push(node);
        }
        // The stream of a launch goes on when all nodes have ended.
        nodes.extend([Node::record(done, stream), Node::wait(origin, done)]);
        if let Some(target) = self.kept.graphs.get_mut(&graph) {
            if target.nodes.len() + nodes.len() > MOST_PARTS {
                return Err(Refusal::Code(codes::MEMORY_ALLOCATION));
            }
            target.nodes.extend(nodes);
        }
        Ok(host.write(result, &done.to_le_bytes())?)
    }

    pub(super) fn capture_status(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[stream, result] = words else { return Err(malformed(HostCall::CaptureStatus)) };
        let stream = self.check_stream(stream)?;
        let status = match &self.kept.capture {
            Some(capture) if capture.takes_part(stream) => {
                if capture.invalid {
                    INVALIDATED
                } else {
                    ACTIVE
                }
            }
            _ => 0,
        };
        Ok(host.write(result, &status.to_le_bytes())?)
    }

    pub(super) fn instantiate(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[result, graph] = words else { return Err(malformed(HostCall::GraphInstantiate)) };
        let mut ready = self.graph(graph, false)?.clone();
        self.make_branches(&mut ready);
        (ready.executable, ready.made_at) = (true, host.location().cloned());
        let handle = self.handle();
        self.kept.graphs.insert(handle, ready);
        Ok(host.write(result, &handle.to_le_bytes())?)
    }

    /// A stream for each of its streams but the first.
    fn make_branches(&mut self, ready: &mut Graph) {
        let streams = ready.nodes.iter().map(Node::stream);
        let other_streams: Vec<u64> = streams.filter(|stream| *stream != ready.origin).collect();
        for stream in other_streams {
            ready.branches.entry(stream).or_insert_with(|| {
                let branch = self.handle();
                self.kept.clocks.add_independent(branch);
                branch
            });
        }
    }

    pub(super) fn graph_update(&mut self, words: &[u64]) -> Outcome<()> {
        let &[ready, graph] = words else { return Err(malformed(HostCall::GraphUpdate)) };
        let (mut new, known) = (self.graph(graph, false)?.clone(), self.graph(ready, true)?.clone());
        (new.executable, new.made_at, new.branches) = (true, known.made_at, known.branches);
        self.make_branches(&mut new);
        self.kept.graphs.insert(ready, new);
        Ok(())
    }

    pub(super) fn graph_set_launch(&mut self, words: &[u64]) -> Outcome<()> {
        let &[ready, part, node] = words else { return Err(malformed(HostCall::GraphSetLaunch)) };
        let is_launch = |node: &&mut Node| matches!(node, Node::Launch(_));
        let mut part = self.graph(part, false)?.clone();
        let launch = part.nodes.iter_mut().find(is_launch);
        let target = self.kept.graphs.get_mut(&ready).filter(|graph| graph.executable);
        let place = target.and_then(|graph| {
            let stream = graph.nodes.iter().find(|known| known.records(node))?.stream();
            graph.nodes.iter_mut().filter(|known| known.stream() == stream).find(is_launch)
        });
        let (Some(launch), Some(place)) = (launch, place) else {
            return Err(Refusal::Code(codes::INVALID_VALUE));
        };
        *launch.stream_mut() = place.stream();
        *place = launch.clone();
        Ok(())
    }

    pub(super) fn graph_destroy(&mut self, graph: u64) -> Outcome<()> {
        self.kept.graphs.remove(&graph).map(|_| ()).ok_or(Refusal::Code(codes::INVALID_VALUE))
    }

    /// How many kernels, copies and fills a graph has.
    pub(super) fn graph_nodes(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[graph, result] = words else { return Err(malformed(HostCall::GraphNodes)) };
        let works =
            |node: &&Node| !matches!(node, Node::Call(HostCall::EventRecord | HostCall::StreamWaitEvent, _));
        let count = self.graph(graph, false)?.nodes.iter().filter(works).count() as u64;
        Ok(host.write(result, &count.to_le_bytes())?)
    }

    fn graph(&self, handle: u64, executable: bool) -> Outcome<&Graph> {
        let known = self.kept.graphs.get(&handle).filter(|graph| graph.executable == executable);
        known.ok_or(Refusal::Code(codes::INVALID_VALUE))
    }

    /// Launches a graph, or goes on after a function of the host.
    pub(super) fn graph_launch(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[graph, stream, next] = words else { return Err(malformed(HostCall::GraphLaunch)) };
        let stream = self.check_stream(stream)?;
        let begun = self.graph_rest.take().filter(|rest| rest.next == next);
        let mut rest = if let Some(rest) = begun {
            self.end_host_function(rest.function_in, host)?;
            rest
        } else {
            let Graph { origin, mut nodes, branches, .. } = self.graph(graph, true)?.clone();
            for node in &mut nodes {
                let of = node.stream();
                *node.stream_mut() = if of == origin { stream } else { branches[&of] };
            }
            GraphRest { next, nodes: nodes.into(), marks: BTreeMap::new(), function_in: stream }
        };
        while let Some(node) = rest.nodes.pop_front() {
            let marks = &mut rest.marks;
            match node {
                Node::Call(HostCall::HostFunction, words) => {
                    self.charge(HostCall::HostFunction, &words, host)?;
                    self.begin_host_function(words[0], words[3], host)?;
                    host.write(next, &words[2].to_le_bytes())?;
                    host.write(next + 8, &words[3].to_le_bytes())?;
                    self.graph_rest = Some(GraphRest { function_in: words[0], ..rest });
                    return Ok(());
                }
                Node::Launch(launch) => {
                    self.charge(HostCall::Launch, &[], host)?;
                    self.carry_out(*launch, host)?;
                }
                Node::Call(HostCall::EventRecord, words) => {
                    self.engine.select_stream(words[1]);
                    let mark = self.engine.mark()?;
                    self.kept.clocks.mark(mark, words[1]);
                    marks.insert(words[0], mark);
                }
                Node::Call(HostCall::StreamWaitEvent, words) => {
                    self.engine.select_stream(words[0]);
                    self.kept.clocks.stream_waits(words[0], marks[&words[1]]);
                    self.engine.wait_for_mark(marks[&words[1]])?;
                }
                Node::Call(call, words) => {
                    self.charge(call, &words, host)?;
                    self.carry_out_call(call, &words, host)?;
                }
            }
        }
        Ok(host.write(next, &0u64.to_le_bytes())?)
    }

    /// Keeps a launch for a graph, if its stream is being captured; else gives it back.
    pub(super) fn capture_launch(&mut self, launch: Launch, host: &HostView<'_>) -> Outcome<Option<Launch>> {
        let Some(capture) = &mut self.kept.capture else { return Ok(Some(launch)) };
        if capture.takes_part(launch.stream) {
            capture.add(launch.stream, Node::Launch(Box::new(launch)));
            return Ok(None);
        }
        if launch.stream == DEFAULT && !self.kept.clocks.is_independent(capture.origin) {
            return self.spoil_capture("a launch in the default stream", host);
        }
        Ok(Some(launch))
    }

    /// Keeps a call for a graph, if its stream is being captured. Whether that is all that it does.
    pub(super) fn captured(&mut self, call: HostCall, words: &[u64], host: &HostView<'_>) -> Outcome<bool> {
        let Some(capture) = &mut self.kept.capture else { return Ok(false) };
        let used = Use::of(call, words);
        match used {
            Use::Stream(index) if capture.takes_part(words[index]) => {
                let stream = words[index];
                match call {
                    HostCall::EventRecord => {
                        let mark = capture.nodes.len();
                        capture.order.mark(mark, stream);
                        capture.events.insert(words[0], mark);
                        capture.nodes.push(Node::Call(call, words.to_vec()));
                    }
                    HostCall::StreamWaitEvent => capture.wait(stream, words)?,
                    _ => capture.add(stream, Node::Call(call, words.to_vec())),
                }
                Ok(true)
            }
            Use::Stream(_) if call == HostCall::StreamWaitEvent && capture.events.contains_key(&words[1]) => {
                capture.join(words[0]);
                capture.wait(words[0], words)?;
                Ok(true)
            }
            Use::Waits(Some(stream)) if capture.takes_part(stream) => {
                self.spoil_capture("a call that waits for the captured stream", host)
            }
            Use::Waits(None) => self.spoil_capture("a call that waits for the GPU", host),
            Use::Allocates if !capture.relaxed => {
                self.spoil_capture("a call that allocates or frees memory", host)
            }
            _ => Ok(false),
        }
    }

    fn spoil_capture<T>(&mut self, what: &str, host: &HostView<'_>) -> Outcome<T> {
        if let Some(capture) = &mut self.kept.capture {
            capture.invalid = true;
        }
        let found = finding(
            "W0632",
            Kind::Host,
            format!("{what} is not possible while a stream is being captured, and ends the capture"),
            "between `cudaStreamBeginCapture` and `cudaStreamEndCapture`, call only what goes into a stream that is captured: launches, \
             `cudaMemcpyAsync`, `cudaMemsetAsync`, events. Allocate before; wait after `cudaGraphLaunch`",
        );
        self.refuse(host, codes::CAPTURE_UNSUPPORTED, found)
    }
}

impl Capture {
    /// A stream takes part from now on.
    fn join(&mut self, stream: u64) {
        if !self.takes_part(stream) {
            // Streams of a graph wait for each other by its own events alone.
            self.order.add_independent(stream);
            let (op, _) = self.order.add(stream, "", None, Touched::default());
            self.last.insert(stream, op);
        }
    }

    fn wait(&mut self, stream: u64, words: &[u64]) -> Outcome<()> {
        let mark = self.events.get(&words[1]).ok_or(Refusal::Code(codes::CAPTURE_ISOLATION))?;
        self.order.stream_waits(stream, *mark);
        self.nodes.push(Node::Call(HostCall::StreamWaitEvent, words.to_vec()));
        Ok(())
    }
}

impl Node {
    fn record(event: u64, stream: u64) -> Self {
        Self::Call(HostCall::EventRecord, vec![event, stream])
    }

    fn wait(stream: u64, event: u64) -> Self {
        Self::Call(HostCall::StreamWaitEvent, vec![stream, event, 0])
    }

    fn records(&self, event: u64) -> bool {
        matches!(self, Self::Call(HostCall::EventRecord, words) if words[0] == event)
    }

    fn stream(&self) -> u64 {
        match self {
            Self::Launch(launch) => launch.stream,
            Self::Call(call, words) => match Use::of(*call, words) {
                Use::Stream(index) => words[index],
                _ => DEFAULT,
            },
        }
    }

    fn stream_mut(&mut self) -> &mut u64 {
        match self {
            Self::Launch(launch) => &mut launch.stream,
            Self::Call(call, words) => match Use::of(*call, words) {
                Use::Stream(index) => &mut words[index],
                _ => unreachable!("only what goes into a stream is captured"),
            },
        }
    }
}

/// What a call means for a capture.
enum Use {
    /// It goes into the stream that this word names.
    Stream(usize),
    /// The host waits: for a stream, or for all.
    Waits(Option<u64>),
    /// It allocates or frees memory at once.
    Allocates,
    Nothing,
}

impl Use {
    fn of(call: HostCall, words: &[u64]) -> Self {
        let when = |index: usize, later: usize| {
            if words[later] == 1 { Self::Stream(index) } else { Self::Waits(None) }
        };
        match call {
            // The C library's `memcpy` has nothing to do with the GPU.
            HostCall::Memcpy if words[5] > 1 => Self::Nothing,
            HostCall::Memcpy => when(4, 5),
            HostCall::Memcpy2D => when(7, 8),
            HostCall::Memset => when(3, 4),
            HostCall::MemcpyToSymbol | HostCall::MemcpyFromSymbol => when(5, 6),
            HostCall::Memcpy2DToArray | HostCall::Memcpy2DFromArray => when(8, 9),
            HostCall::Memset2D | HostCall::DeviceSynchronize => Self::Waits(None),
            HostCall::EventRecord => Self::Stream(1),
            // That of `cudaStreamAddCallback` cannot be captured.
            HostCall::HostFunction if words[2] == 0 => Self::Waits(Some(words[0])),
            HostCall::HostFunction | HostCall::StreamWaitEvent => Self::Stream(0),
            HostCall::StreamSynchronize | HostCall::StreamQuery => Self::Waits(Some(words[0])),
            HostCall::Malloc if words[2] == 0 => Self::Allocates,
            HostCall::Free if words[1] == 0 => Self::Allocates,
            HostCall::MallocPitch | HostCall::MallocArray | HostCall::FreeArray => Self::Allocates,
            _ => Self::Nothing,
        }
    }
}
