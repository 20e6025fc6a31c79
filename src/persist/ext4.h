// ext4: in which order the parts of files become durable (Kokologiannakis, Kaysin, Raad and Vafeiadis, "PerSeVerE: Persistency Semantics
// for Verification under Ext4", POPL 2021).
//
// File calls are accesses to a disk (abi/heddle_disk.h, native/library/files.cpp), and what is at an address says what kind of
// write it is: DATA, SIZE, DIR or JNL. pb is the transitive closure of
//
//     co
//     [DATA] ; (hb & same block of a file) ; [DATA]
//     [WD(i) | JNL(i)] ; hb ; [FSYNC(i)] ; porf ; [WD]
//     [WD] ; hb ; [SYNC] ; porf ; [WD]
//     [DATA in the range of s] ; porf ; [SIZE s]        data=ordered only
//     [DIR] ; porf ; [SIZE]
//     [JNL(i)] ; porf ; [WD(i)]  |  [WD(i)] ; porf ; [JNL(i)]
//
// where WD are all durable writes, WD(i) those of a file, or of the directory. That everything before has persisted
// (Flush::everything) is not an order but known (model.h). Memory that is not on the disk is durable location by location.
#pragma once

#include "abi/heddle_disk.h"
#include "persist/persists_before.h"

namespace heddle::persist {

class Ext4 final : public PersistsBefore {
 public:
  // `disk`: where the disk is, or 0 if the program has none.
  Ext4(IsDurable isDurable, Address disk, const heddle_disk_options& options)
      : PersistsBefore(std::move(isDurable)), disk_(disk), options_(options) {}

  void setHappensBefore(std::size_t view) override { happensBefore_ = view; }

 private:
  enum class Kind : std::uint8_t { data, size, entry, journal, none };
  static constexpr int kDirectory = HEDDLE_DISK_INODES;  // as the number of an inode

  struct Place {
    Kind kind = Kind::none;
    int inode = 0;
    unsigned offset = 0;  // data
  };
  struct Fence {
    EventId event = kNone;
    int inode = 0;
    bool isOfAll = false;
  };

  Place placeOf(Address address) const;
  void prepare(const ExecutionView& graph, ThreadId recovery) override;
  void addPredecessors(const ExecutionView& graph, EventId id, std::vector<EventId>& found) override;
  bool precedes(const ExecutionView& graph, EventId first, EventId second) const;
  bool isFenced(const ExecutionView& graph, EventId first, EventId second) const;

  bool isInPorf(const ExecutionView& graph, EventId first, EventId second) const {
    return graph.inPrefix(graph.porf(second), first);
  }
  bool isInHb(const ExecutionView& graph, EventId first, EventId second) const {
    return graph.inPrefix(graph.view(second, happensBefore_), first);
  }

  Address disk_;
  heddle_disk_options options_;
  std::size_t happensBefore_ = 0;
  std::vector<EventId> writes_;  // to the disk
  std::vector<Fence> fences_;
};

}  // namespace heddle::persist
