#include "stats/sign_flip.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

namespace pasb {
namespace {

double absolute_sum(std::span<const double> differences) {
    double sum = 0;
    for (const double difference : differences) {
        sum += std::abs(difference);
    }
    return sum;
}

// The sum with the sign of each difference whose bit is set turned round.
double flipped_sum(std::span<const double> differences, std::uint64_t flips) {
    double sum = 0;
    for (const double difference : differences) {
        sum += (flips & 1U) != 0 ? -difference : difference;
        flips >>= 1U;
    }
    return sum;
}

double observed_distance(std::span<const double> differences) {
    double sum = 0;
    for (const double difference : differences) {
        sum += difference;
    }
    // Arrangements that tie with the observed one must count as such, however their sums were rounded.
    return std::abs(sum) - 1e-12 * absolute_sum(differences);
}

SignFlipTest enumerate(std::span<const double> differences) {
    const double observed = observed_distance(differences);
    const std::uint64_t all = std::uint64_t{1} << differences.size();
    std::uint64_t as_far = 0;
    for (std::uint64_t flips = 0; flips < all; ++flips) {
        as_far += std::abs(flipped_sum(differences, flips)) >= observed ? 1U : 0U;
    }
    return {static_cast<double>(as_far) / static_cast<double>(all), "", true, all, 2 / static_cast<double>(all)};
}

double random_sum(std::span<const double> differences, std::mt19937_64& engine) {
    constexpr std::size_t bits = 64;
    double sum = 0;
    for (std::size_t from = 0; from < differences.size(); from += bits) {
        sum += flipped_sum(differences.subspan(from, std::min(bits, differences.size() - from)), engine());
    }
    return sum;
}

SignFlipTest sample_arrangements(std::span<const double> differences, const Resampling& resampling) {
    const double observed = observed_distance(differences);
    std::mt19937_64 engine(resampling.seed);
    std::size_t as_far = 0;
    for (std::size_t i = 0; i < resampling.permutations; ++i) {
        as_far += std::abs(random_sum(differences, engine)) >= observed ? 1U : 0U;
    }
    const double all = static_cast<double>(resampling.permutations) + 1;
    const double smallest = std::max(1 / all, std::pow(2.0, 1 - static_cast<double>(differences.size())));
    return {(static_cast<double>(as_far) + 1) / all, "", false, resampling.permutations, smallest};
}

}  // namespace

SignFlipTest sign_flip_test(std::span<const double> differences, const Resampling& resampling) {
    if (differences.empty()) {
        return {std::nullopt, "no pairs", false, 0, 1};
    }
    if (differences.size() == 1) {
        return {std::nullopt, "one base item only: a sign-flip test needs two, with one p is always 1", false, 0, 1};
    }
    return differences.size() <= most_enumerated ? enumerate(differences)
                                                 : sample_arrangements(differences, resampling);
}

}  // namespace pasb
