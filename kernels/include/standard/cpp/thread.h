// Threads of the host and what they share. A thread does its work when it is made, as if it were the faster one each time: for programs
// whose threads do not wait for what their maker does later. Left out: std::condition_variable, std::promise.
#pragma once
#include "cpp/chrono.h"
#include "cpp/functional.h"
#include "cpp/utility.h"

namespace std {

class thread {
    bool joinable_ = false;

   public:
    using id = int;
    thread() = default;
    template <class F, class... A>
    explicit thread(F&& f, A&&... arguments) : joinable_(true) {
        invoke(static_cast<F&&>(f), static_cast<A&&>(arguments)...);
    }
    thread(thread&& other) noexcept : joinable_(other.joinable_) { other.joinable_ = false; }
    thread& operator=(thread&& other) noexcept {
        joinable_ = other.joinable_;
        other.joinable_ = false;
        return *this;
    }
    thread(const thread&) = delete;
    bool joinable() const { return joinable_; }
    void join() { joinable_ = false; }
    void detach() { joinable_ = false; }
    static unsigned hardware_concurrency() { return 8; }
};
using jthread = thread;

namespace this_thread {
inline void yield() {}
inline thread::id get_id() { return 1; }
template <class T, class Unit>
void sleep_for(const chrono::duration<T, Unit>&) {}
template <class Clock, class Duration>
void sleep_until(const chrono::time_point<Clock, Duration>&) {}
}  // namespace this_thread

class mutex {
   public:
    void lock() {}
    void unlock() {}
    bool try_lock() { return true; }
};
using recursive_mutex = mutex;
using shared_mutex = mutex;
template <class M>
class lock_guard {
   public:
    explicit lock_guard(M&) {}
    lock_guard(const lock_guard&) = delete;
    ~lock_guard() {}
};
template <class M>
class unique_lock {
   public:
    unique_lock() = default;
    explicit unique_lock(M&) {}
    ~unique_lock() {}
    void lock() {}
    void unlock() {}
};
template <class... M>
class scoped_lock {
   public:
    explicit scoped_lock(M&...) {}
    ~scoped_lock() {}
};
struct once_flag {
    bool called = false;
};
template <class F, class... A>
void call_once(once_flag& flag, F&& f, A&&... arguments) {
    if (exchange(flag.called, true)) return;
    static_cast<F&&>(f)(static_cast<A&&>(arguments)...);
}

// What a function returns later; here it has returned.
template <class T>
class future {
    T value_{};

   public:
    future() = default;
    explicit future(T value) : value_(static_cast<T&&>(value)) {}
    T get() { return static_cast<T&&>(value_); }
    void wait() const {}
    bool valid() const { return true; }
};
template <>
class future<void> {
   public:
    void get() {}
    void wait() const {}
    bool valid() const { return true; }
};
enum class launch { async = 1, deferred = 2 };
template <class F, class... A>
auto async(launch, F&& f, A&&... arguments) {
    using T = decay_t<decltype(invoke(static_cast<F&&>(f), static_cast<A&&>(arguments)...))>;
    if constexpr (is_void_v<T>) {
        invoke(static_cast<F&&>(f), static_cast<A&&>(arguments)...);
        return future<void>();
    } else {
        return future<T>(invoke(static_cast<F&&>(f), static_cast<A&&>(arguments)...));
    }
}
template <class F, class... A, class = enable_if_t<!is_same_v<decay_t<F>, launch>>>
auto async(F&& f, A&&... arguments) {
    return async(launch::async, static_cast<F&&>(f), static_cast<A&&>(arguments)...);
}

}  // namespace std
