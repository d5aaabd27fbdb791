// Work that a program hands to other threads of the host. There is one thread here: such work is done when somebody waits for it, or
// looks whether it is done. So whoever forgets to wait finds nothing done, as with slow threads.
#pragma once

namespace workbook {

struct Pending {
    Pending* next = nullptr;
    bool begun = false;
    virtual ~Pending() {}
    virtual void run() = 0;
};
inline Pending*& waiting() {
    static Pending* first = nullptr;
    return first;
}
inline void hand_over(Pending* work) {
    Pending** last = &waiting();
    while (*last != nullptr) last = &(*last)->next;
    *last = work;
}
// All of it, unless it is running: then its maker's wait is inside it.
inline void finish(Pending* work) {
    if (work->begun) return;
    work->begun = true;
    Pending** place = &waiting();
    while (*place != work) place = &(*place)->next;
    *place = work->next;
    work->run();
}
inline bool let_others_run() {
    const bool any = waiting() != nullptr;
    while (waiting() != nullptr) finish(waiting());
    return any;
}

}  // namespace workbook
