// std::map and std::set, by whatever name: a sorted std::vector. Left out: orders and hashes of one's own, several equal keys.
#pragma once
#include "cpp/algorithm.h"
#include "cpp/utility.h"
#include "cpp/vector.h"

namespace std {

// `Entry` is what is kept, `key_of` what it is sorted by.
template <class Entry, class Key>
class workbook_sorted {
   public:
    using key_type = Key;
    using value_type = Entry;
    using iterator = Entry*;
    using const_iterator = const Entry*;

    workbook_sorted() = default;
    workbook_sorted(initializer_list<Entry> list) {
        for (const Entry& entry : list) insert(entry);
    }
    pair<iterator, bool> insert(const Entry& entry) {
        const size_t at = lower(key_of(entry));
        const bool fresh = at == entries_.size() || key_of(entry) < key_of(entries_[at]);
        if (fresh) {
            entries_.push_back(entry);
            for (size_t i = entries_.size() - 1; i > at; --i) swap(entries_[i], entries_[i - 1]);
        }
        return {entries_.begin() + at, fresh};
    }
    template <class... A>
    pair<iterator, bool> emplace(A... arguments) {
        return insert(Entry{arguments...});
    }
    iterator find(const Key& key) { return const_cast<iterator>(static_cast<const workbook_sorted&>(*this).find(key)); }
    const_iterator find(const Key& key) const {
        const size_t at = lower(key);
        return at < entries_.size() && !(key < key_of(entries_[at])) ? entries_.begin() + at : end();
    }
    iterator lower_bound(const Key& key) { return entries_.begin() + lower(key); }
    size_t count(const Key& key) const { return find(key) == end() ? 0 : 1; }
    bool contains(const Key& key) const { return count(key) == 1; }
    iterator erase(iterator at) {
        for (iterator next = at; next + 1 != end(); ++next) swap(next[0], next[1]);
        entries_.pop_back();
        return at;
    }
    size_t erase(const Key& key) {
        const iterator at = find(key);
        return at == end() ? 0 : (erase(at), 1);
    }
    void clear() { entries_.clear(); }
    size_t size() const { return entries_.size(); }
    bool empty() const { return entries_.empty(); }
    iterator begin() { return entries_.begin(); }
    iterator end() { return entries_.end(); }
    const_iterator begin() const { return entries_.begin(); }
    const_iterator end() const { return entries_.end(); }
    reverse_iterator<const_iterator> rbegin() const { return reverse_iterator<const_iterator>(end()); }
    reverse_iterator<const_iterator> rend() const { return reverse_iterator<const_iterator>(begin()); }

   private:
    vector<Entry> entries_;

    static const Key& key_of(const Key& entry) { return entry; }
    template <class T>
    static const Key& key_of(const pair<Key, T>& entry) {
        return entry.first;
    }
    size_t lower(const Key& key) const {
        size_t first = 0, count = entries_.size();
        while (count > 0) {
            const size_t half = count / 2;
            if (key_of(entries_[first + half]) < key)
                first += half + 1, count -= half + 1;
            else
                count = half;
        }
        return first;
    }
};

template <class Key, class T>
class map : public workbook_sorted<pair<Key, T>, Key> {
    using Base = workbook_sorted<pair<Key, T>, Key>;

   public:
    using Base::Base;
    using mapped_type = T;
    T& operator[](const Key& key) { return this->insert(pair<Key, T>(key, T())).first->second; }
    T& at(const Key& key) { return this->find(key)->second; }
    const T& at(const Key& key) const { return this->find(key)->second; }
};
template <class Key>
class set : public workbook_sorted<Key, Key> {
    using Base = workbook_sorted<Key, Key>;

   public:
    using Base::Base;
};
template <class Key, class T>
using unordered_map = map<Key, T>;
template <class Key>
using unordered_set = set<Key>;

}  // namespace std
