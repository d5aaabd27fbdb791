// Threads of the host and what they share. A thread does its work from start to end when somebody waits for it (`cpp/pending.h`). Left
// out: threads that take turns, such as a pool whose workers wait for more work; they are told.
#pragma once
#include "cpp/chrono.h"
#include "cpp/functional.h"
#include "cpp/memory.h"
#include "cpp/pending.h"
#include "cpp/utility.h"

namespace workbook {

template <class F>
struct PendingCall : Pending {
    F call;
    explicit PendingCall(F&& call) : call(static_cast<F&&>(call)) {}
    void run() override { call(); }
};
template <class F>
Pending* hand_over_call(F call) {
    Pending* const work = new PendingCall<F>(static_cast<F&&>(call));
    hand_over(work);
    return work;
}
// A function and its arguments, kept as copies.
template <class F, class... A>
auto kept_call(F&& function, A&&... arguments) {
    return [function = std::decay_t<F>(static_cast<F&&>(function)),
            ... arguments = std::decay_t<A>(static_cast<A&&>(arguments))]() mutable -> decltype(auto) {
        return std::invoke(static_cast<std::decay_t<F>&&>(function),
                           static_cast<std::decay_t<A>&&>(arguments)...);
    };
}
inline void end_all(const char* why) {
    printf("%s\n", why);
    call(Exit, 134);
    __trap();
}
// A thread that looks for what another one does gives a mutex back many times, and one that has work for others tells them.
inline int& times_given_back() {
    static int times = 0;
    return times;
}
inline void given_back() {
    if (++times_given_back() < 100) return;
    times_given_back() = 0;
    let_others_run();
}
inline void wait_for_others(const char* what) {
    if (let_others_run()) return;
    printf("%s: nobody is left who could end this wait. Threads run one after the other here, each from start to end.\n", what);
    call(Exit, 134);
    __trap();
}

}  // namespace workbook

namespace std {

class thread {
    workbook::Pending* work_ = nullptr;

   public:
    using id = int;
    thread() = default;
    template <class F, class... A, class = enable_if_t<!is_same_v<decay_t<F>, thread>>>
    explicit thread(F&& f, A&&... arguments)
        : work_(workbook::hand_over_call(workbook::kept_call(static_cast<F&&>(f), static_cast<A&&>(arguments)...))) {}
    thread(thread&& other) noexcept : work_(exchange(other.work_, nullptr)) {}
    thread& operator=(thread&& other) noexcept {
        end_joinable();
        work_ = exchange(other.work_, nullptr);
        return *this;
    }
    thread(const thread&) = delete;
    ~thread() { end_joinable(); }
    bool joinable() const { return work_ != nullptr; }
    void join() {
        if (!joinable()) workbook::end_all("std::system_error: join of a thread that is not joinable");
        workbook::finish(work_);
        delete exchange(work_, nullptr);
    }
    void detach() { work_ = nullptr; }
    id get_id() const { return joinable() ? 2 : 0; }
    static unsigned hardware_concurrency() { return 8; }
    void swap(thread& other) noexcept {
        workbook::Pending* const work = work_;
        work_ = exchange(other.work_, work);
    }

   private:
    void end_joinable() {
        if (joinable()) workbook::end_all("std::terminate: a std::thread ends that was neither joined nor detached");
    }
};
class jthread : public thread {
   public:
    using thread::thread;
    jthread() = default;
    jthread(jthread&&) = default;
    jthread& operator=(jthread&& other) noexcept {
        if (joinable()) join();
        thread::operator=(static_cast<thread&&>(other));
        return *this;
    }
    ~jthread() {
        if (joinable()) join();
    }
};

namespace this_thread {
inline void yield() { workbook::let_others_run(); }
inline thread::id get_id() { return 1; }
template <class T, class Unit>
void sleep_for(const chrono::duration<T, Unit>&) {
    yield();
}
template <class Clock, class Duration>
void sleep_until(const chrono::time_point<Clock, Duration>&) {
    yield();
}
}  // namespace this_thread

// Nobody else runs while one is held. Whoever gives it back again and again waits for what the others do.
class mutex {
   public:
    void lock() {}
    void unlock() { workbook::given_back(); }
    bool try_lock() { return true; }
    void lock_shared() {}
    void unlock_shared() { unlock(); }
};
using recursive_mutex = mutex;
using shared_mutex = mutex;
template <class... M>
class scoped_lock {
   public:
    explicit scoped_lock(M&...) {}
    scoped_lock(const scoped_lock&) = delete;
    ~scoped_lock() { workbook::given_back(); }
};
template <class M>
class lock_guard : public scoped_lock<M> {
   public:
    explicit lock_guard(M& held) : scoped_lock<M>(held) {}
};
template <class M>
class unique_lock {
    M* held_ = nullptr;

   public:
    unique_lock() = default;
    explicit unique_lock(M& held) : held_(&held) {}
    unique_lock(const unique_lock&) = delete;
    ~unique_lock() { unlock(); }
    void lock() {}
    void unlock() {
        if (held_ != nullptr) held_->unlock();
    }
};
template <class M>
using shared_lock = unique_lock<M>;
struct once_flag {
    bool called = false;
};
template <class F, class... A>
void call_once(once_flag& flag, F&& f, A&&... arguments) {
    if (exchange(flag.called, true)) return;
    static_cast<F&&>(f)(static_cast<A&&>(arguments)...);
}

enum class cv_status { no_timeout, timeout };
class condition_variable {
   public:
    void notify_one() noexcept { workbook::times_given_back() = 0; }
    void notify_all() noexcept { workbook::times_given_back() = 0; }
    template <class Lock>
    void wait(Lock&) {
        workbook::wait_for_others("std::condition_variable");
    }
    template <class Lock, class Done>
    void wait(Lock& lock, Done done) {
        while (!done()) wait(lock);
    }
    template <class Lock, class Time>
    cv_status wait_for(Lock&, const Time&) {
        return workbook::let_others_run() ? cv_status::no_timeout : cv_status::timeout;
    }
    template <class Lock, class Time, class Done>
    bool wait_for(Lock&, const Time&, Done done) {
        if (!done()) workbook::let_others_run();
        return done();
    }
};
using condition_variable_any = condition_variable;

enum class future_status { ready, timeout, deferred };
enum class launch { async = 1, deferred = 2 };

}  // namespace std

namespace workbook {
// What a promise and its futures share.
template <class T>
struct Shared {
    std::conditional_t<std::is_void_v<T>, char, T> value{};
    bool ready = false;
    Pending* work = nullptr;

    void wait() {
        if (work != nullptr) finish(work);
        while (!ready) wait_for_others("std::future");
    }
    ~Shared() { delete work; }
};
}  // namespace workbook

namespace std {

template <class T>
class shared_future {
   public:
    shared_future() = default;
    explicit shared_future(shared_ptr<workbook::Shared<T>> shared) : shared_(shared) {}
    bool valid() const { return shared_.get() != nullptr; }
    void wait() const { shared_->wait(); }
    template <class Time>
    future_status wait_for(const Time&) const {
        workbook::let_others_run();
        return shared_->ready ? future_status::ready : future_status::timeout;
    }
    T get() const {
        wait();
        if constexpr (!is_void_v<T>) return shared_->value;
    }

   protected:
    shared_ptr<workbook::Shared<T>> shared_;
};
// The last future of `async` waits when it ends.
template <class T>
class future : public shared_future<T> {
   public:
    future() = default;
    explicit future(shared_ptr<workbook::Shared<T>> shared) : shared_future<T>(shared) {}
    future(future&&) = default;
    future(const future&) = delete;
    future& operator=(future&& other) noexcept {
        end();
        this->shared_ = static_cast<future&&>(other).shared_;
        other.shared_.reset();
        return *this;
    }
    ~future() { end(); }
    shared_future<T> share() { return shared_future<T>(static_cast<future&&>(*this).shared_); }
    T get() {
        this->wait();
        const auto shared = this->shared_;
        this->shared_.reset();
        if constexpr (!is_void_v<T>) return static_cast<T&&>(shared->value);
    }

   private:
    void end() {
        if (this->valid() && this->shared_->work != nullptr) workbook::finish(this->shared_->work);
    }
};

template <class T>
class promise {
    using Value = conditional_t<is_void_v<T>, char, T>;

   public:
    promise() : shared_(new workbook::Shared<T>()) {}
    promise(promise&&) = default;
    promise(const promise&) = delete;
    future<T> get_future() { return future<T>(shared_); }
    void set_value()
        requires is_void_v<T>
    {
        shared_->ready = true;
    }
    void set_value(Value value)
        requires(!is_void_v<T>)
    {
        shared_->value = static_cast<Value&&>(value);
        shared_->ready = true;
    }

   private:
    shared_ptr<workbook::Shared<T>> shared_;
};
template <class Call>
class packaged_task;
template <class R, class... A>
class packaged_task<R(A...)> {
   public:
    packaged_task() = default;
    template <class F, class = enable_if_t<!is_same_v<decay_t<F>, packaged_task>>>
    explicit packaged_task(F&& f) : call_(static_cast<F&&>(f)) {}
    packaged_task(packaged_task&&) = default;
    packaged_task(const packaged_task&) = delete;
    future<R> get_future() { return promise_.get_future(); }
    void operator()(A... arguments) {
        if constexpr (is_void_v<R>) {
            call_(static_cast<A&&>(arguments)...);
            promise_.set_value();
        } else {
            promise_.set_value(call_(static_cast<A&&>(arguments)...));
        }
    }

   private:
    function<R(A...)> call_;
    promise<R> promise_;
};

template <class F, class... A>
auto async(launch, F&& f, A&&... arguments) {
    using T = decay_t<decltype(invoke(static_cast<F&&>(f), static_cast<A&&>(arguments)...))>;
    shared_ptr<workbook::Shared<T>> shared(new workbook::Shared<T>());
    workbook::Shared<T>* const to = shared.get();
    shared->work = workbook::hand_over_call(
        [to, call = workbook::kept_call(static_cast<F&&>(f), static_cast<A&&>(arguments)...)]() mutable {
            if constexpr (is_void_v<T>)
                call();
            else
                to->value = call();
            to->ready = true;
        });
    return future<T>(shared);
}
template <class F, class... A, class = enable_if_t<!is_same_v<decay_t<F>, launch>>>
auto async(F&& f, A&&... arguments) {
    return async(launch::async, static_cast<F&&>(f), static_cast<A&&>(arguments)...);
}

}  // namespace std
