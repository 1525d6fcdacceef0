// How intervals and tests draw at random, and a draw that gives the same numbers on every platform. No source of
// randomness: all of it follows from the seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace pasb {

struct Resampling {
    double level = 0.95;              // of all intervals
    std::size_t replicates = 2000;    // of the bootstrap
    std::size_t permutations = 9999;  // of a sign-flip test with too many base items to take all
    std::uint64_t seed = 1;
};

// Whole numbers from 0 to bound - 1, each equally likely. The standard fixes std::mt19937_64 to the bit, but leaves its
// distributions to the library.
class IndexDraw {
  public:
    explicit IndexDraw(std::uint32_t bound);  // throws std::invalid_argument when it is 0
    std::uint32_t operator()(std::mt19937_64& engine) const;

  private:
    std::uint32_t bound_;
    std::uint32_t last_;  // highest draw that counts: those above would favour the low numbers
};

}  // namespace pasb
