// std::list: kept in a std::vector.
#pragma once
#include "cpp/queue.h"

namespace std {

template <class T>
class list : public deque<T> {
   public:
    using deque<T>::deque;
};

}  // namespace std
