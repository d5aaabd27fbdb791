// `cuda::atomic` and `cuda::atomic_ref`, of 4 and 8 bytes, and fences. The names are those of libcu++, which nvcc uses instead.
//
// An order stronger than relaxed is made of fences. Left out, so that using them is the compiler's own error: `wait`,
// `notify_one`, `notify_all`, objects of other sizes.
#pragma once

#include "cpp/pending.h"
#include "cuda/std.h"

namespace std {

enum memory_order {
    memory_order_relaxed,
    memory_order_consume,
    memory_order_acquire,
    memory_order_release,
    memory_order_acq_rel,
    memory_order_seq_cst
};

}  // namespace std

namespace cuda {

using memory_order = ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread = 10
};

namespace detail {

template <size_t bytes>
struct word_of;
template <>
struct word_of<4> {
    using type = unsigned;
};
template <>
struct word_of<8> {
    using type = unsigned long long;
};
// What the functions of CUDA C++ take in the place of `long`.
template <class T>
struct same_as {
    using type = T;
};
template <>
struct same_as<long> {
    using type = long long;
};
template <>
struct same_as<unsigned long> {
    using type = unsigned long long;
};
// Sums of signed 8-byte integers are those of unsigned ones.
template <class T>
struct summed {
    using type = T;
};
template <>
struct summed<long long> {
    using type = unsigned long long;
};

template <thread_scope scope>
__forceinline__ __device__ void fence() {
    if (scope == thread_scope_block) __threadfence_block();
    if (scope == thread_scope_device) __threadfence();
    if (scope == thread_scope_system) __threadfence_system();
}
template <thread_scope scope>
__forceinline__ __device__ void before(memory_order order) {
    if (order >= ::std::memory_order_release) fence<scope>();
}
template <thread_scope scope>
__forceinline__ __device__ void after(memory_order order) {
    if (order != ::std::memory_order_relaxed && order != ::std::memory_order_release) fence<scope>();
}

#define WORKBOOK_SCOPED(name, function)                                               \
    template <thread_scope scope, class T, class... V>                                \
    __forceinline__ __device__ auto name(T* at, V... values) {                        \
        if constexpr (scope == thread_scope_block || scope == thread_scope_thread)    \
            return function##_block(at, values...);                                   \
        else if constexpr (scope == thread_scope_device)                              \
            return function(at, values...);                                           \
        else                                                                          \
            return function##_system(at, values...);                                  \
    }
WORKBOOK_SCOPED(add, atomicAdd)
WORKBOOK_SCOPED(exchange, atomicExch)
WORKBOOK_SCOPED(compare, atomicCAS)
WORKBOOK_SCOPED(minimum, atomicMin)
WORKBOOK_SCOPED(maximum, atomicMax)
WORKBOOK_SCOPED(both, atomicAnd)
WORKBOOK_SCOPED(either, atomicOr)
WORKBOOK_SCOPED(differing, atomicXor)
#undef WORKBOOK_SCOPED

template <class To, class From>
__forceinline__ __device__ To bits(From from) {
    union {
        From from;
        To to;
    } both = {from};
    return both.to;
}

// What `atomic` and `atomic_ref` have in common; `Self::at()` says where the value is.
template <class T, thread_scope scope, class Self>
class operations {
    using Word = typename word_of<sizeof(T)>::type;
    using Number = typename same_as<T>::type;
    using Sum = typename summed<Number>::type;
    __forceinline__ __device__ T* at() const { return static_cast<const Self*>(this)->address(); }
    template <class As>
    __forceinline__ __device__ As* as() const {
        return reinterpret_cast<As*>(at());
    }

   public:
    using value_type = T;
    operations() = default;
    static constexpr bool is_always_lock_free = true;
    __forceinline__ __device__ bool is_lock_free() const { return true; }

    __forceinline__ __device__ T load(memory_order order = ::std::memory_order_seq_cst) const {
        if (order == ::std::memory_order_seq_cst) fence<scope>();
        const Word word = *as<const volatile Word>();
        after<scope>(order);
        return bits<T>(word);
    }
    __forceinline__ __device__ void store(T value, memory_order order = ::std::memory_order_seq_cst) const {
        before<scope>(order);
        *as<volatile Word>() = bits<Word>(value);
        if (order == ::std::memory_order_seq_cst) fence<scope>();
    }
    __forceinline__ __device__ T exchange(T value, memory_order order = ::std::memory_order_seq_cst) const {
        before<scope>(order);
        const Word had = detail::exchange<scope>(as<Word>(), bits<Word>(value));
        after<scope>(order);
        return bits<T>(had);
    }
    __forceinline__ __device__ bool compare_exchange_strong(T& expected, T wanted, memory_order order,
                                                            memory_order) const {
        before<scope>(order);
        const Word guess = bits<Word>(expected), had = compare<scope>(as<Word>(), guess, bits<Word>(wanted));
        after<scope>(order);
        if (had != guess) expected = bits<T>(had);
        return had == guess;
    }
    __forceinline__ __device__ bool compare_exchange_strong(
        T& expected, T wanted, memory_order order = ::std::memory_order_seq_cst) const {
        return compare_exchange_strong(expected, wanted, order, order);
    }
    __forceinline__ __device__ bool compare_exchange_weak(T& expected, T wanted, memory_order order,
                                                          memory_order) const {
        return compare_exchange_strong(expected, wanted, order, order);
    }
    __forceinline__ __device__ bool compare_exchange_weak(
        T& expected, T wanted, memory_order order = ::std::memory_order_seq_cst) const {
        return compare_exchange_strong(expected, wanted, order, order);
    }

#define WORKBOOK_FETCH(name, function, As, value_of)                                                            \
    __forceinline__ __device__ T name(T value, memory_order order = ::std::memory_order_seq_cst) const {        \
        before<scope>(order);                                                                                   \
        const T had = static_cast<T>(function<scope>(as<As>(), static_cast<As>(value_of)));                     \
        after<scope>(order);                                                                                    \
        return had;                                                                                             \
    }
    WORKBOOK_FETCH(fetch_add, add, Sum, value)
    WORKBOOK_FETCH(fetch_sub, add, Sum, -value)
    WORKBOOK_FETCH(fetch_min, minimum, Number, value)
    WORKBOOK_FETCH(fetch_max, maximum, Number, value)
    WORKBOOK_FETCH(fetch_and, both, Number, value)
    WORKBOOK_FETCH(fetch_or, either, Number, value)
    WORKBOOK_FETCH(fetch_xor, differing, Number, value)
#undef WORKBOOK_FETCH

    __forceinline__ __device__ operator T() const { return load(); }
    __forceinline__ __device__ T operator++() const { return fetch_add(1) + 1; }
    __forceinline__ __device__ T operator--() const { return fetch_sub(1) - 1; }
    __forceinline__ __device__ T operator++(int) const { return fetch_add(1); }
    __forceinline__ __device__ T operator--(int) const { return fetch_sub(1); }
    __forceinline__ __device__ T operator+=(T value) const { return fetch_add(value) + value; }
    __forceinline__ __device__ T operator-=(T value) const { return fetch_sub(value) - value; }
    __forceinline__ __device__ T operator|=(T value) const { return fetch_or(value) | value; }
    __forceinline__ __device__ T operator&=(T value) const { return fetch_and(value) & value; }
};

}  // namespace detail

template <class T, thread_scope scope = thread_scope_system>
class atomic_ref : public detail::operations<T, scope, atomic_ref<T, scope>> {
    T* place;

   public:
    static constexpr size_t required_alignment = sizeof(T);
    __forceinline__ __device__ explicit atomic_ref(T& value) : place(&value) {}
    __forceinline__ __device__ T* address() const { return place; }
    __forceinline__ __device__ T operator=(T value) const { return this->store(value), value; }
};

template <class T, thread_scope scope = thread_scope_system>
class alignas(sizeof(T)) atomic : public detail::operations<T, scope, atomic<T, scope>> {
    mutable T held;

   public:
    atomic() = default;
    __forceinline__ __host__ __device__ constexpr atomic(T value) : held(value) {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;
    __forceinline__ __device__ T* address() const { return &held; }
    __forceinline__ __device__ T operator=(T value) { return this->store(value), value; }
};

// A flag, in a word.
template <thread_scope scope>
class atomic<bool, scope> {
    atomic<unsigned, scope> held;

   public:
    atomic() = default;
    __forceinline__ __host__ __device__ constexpr atomic(bool value) : held(value) {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;
    __forceinline__ __device__ bool load(memory_order order = ::std::memory_order_seq_cst) const {
        return held.load(order) != 0;
    }
    __forceinline__ __device__ void store(bool value, memory_order order = ::std::memory_order_seq_cst) const {
        held.store(value, order);
    }
    __forceinline__ __device__ bool exchange(bool value, memory_order order = ::std::memory_order_seq_cst) const {
        return held.exchange(value, order) != 0;
    }
    __forceinline__ __device__ operator bool() const { return load(); }
    __forceinline__ __device__ bool operator=(bool value) { return store(value), value; }
};

__forceinline__ __device__ void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system) {
    if (order == ::std::memory_order_relaxed) return;
    if (scope == thread_scope_block) return __threadfence_block();
    if (scope == thread_scope_device) return __threadfence();
    if (scope == thread_scope_system) __threadfence_system();
}

}  // namespace cuda

namespace std {

// For threads of the host: whoever looks lets the others run.
template <class T>
class atomic : public ::cuda::atomic<T> {
   public:
    atomic() = default;
    constexpr atomic(T value) : ::cuda::atomic<T>(value) {}
    T load(memory_order order = memory_order_seq_cst) const {
        workbook::let_others_run();
        return ::cuda::atomic<T>::load(order);
    }
    operator T() const { return load(); }
    T operator=(T value) { return this->store(value), value; }
};
template <class T>
using atomic_ref = ::cuda::atomic_ref<T>;
using atomic_bool = atomic<bool>;
using atomic_int = atomic<int>;
using atomic_uint = atomic<unsigned>;
using ::cuda::atomic_thread_fence;
struct atomic_flag {
    atomic<bool> set{false};
    __forceinline__ __device__ bool test_and_set(memory_order order = memory_order_seq_cst) { return set.exchange(true, order); }
    __forceinline__ __device__ bool test(memory_order order = memory_order_seq_cst) const { return set.load(order); }
    __forceinline__ __device__ void clear(memory_order order = memory_order_seq_cst) { set.store(false, order); }
};

}  // namespace std
