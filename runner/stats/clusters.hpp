// Values added up by base item, which is all that means, differences and their clustered intervals need: 51,200 runs
// become 100 rows. Does not keep the values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pasb {

// Numbers that the caller gives out, from 0 and without large gaps: they index tables.
struct BaseItem {
    std::uint32_t number = 0;
    std::uint32_t family = 0;
};

struct Sums {
    double sum = 0;
    std::size_t count = 0;

    void add(double value) {
        sum += value;
        ++count;
    }
    void add(const Sums& other) {
        sum += other.sum;
        count += other.count;
    }
    [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }  // count > 0
};

// The values of one base item, in two groups where groups are compared, else in the first alone.
struct Cluster {
    std::uint32_t family = 0;
    Sums first;
    Sums second;
};

class Clusters {
  public:
    // The base item's row, made when it is new. Throws std::invalid_argument when it was met in another family.
    Cluster& at(BaseItem base);

    // The rows that hold values, in the order of their numbers: no result depends on the order of adding, but for
    // rounding.
    [[nodiscard]] std::vector<Cluster> occupied() const;

  private:
    std::vector<Cluster> rows_;
};

Cluster total_of(const std::vector<Cluster>& clusters);

// Values of one group: runs' outcomes (0 or 1), shares, scores, differences. Finite.
class ClusteredSample {
  public:
    void add(double value, BaseItem base) { clusters_.at(base).first.add(value); }
    [[nodiscard]] std::vector<Cluster> clusters() const { return clusters_.occupied(); }

  private:
    Clusters clusters_;
};

}  // namespace pasb
