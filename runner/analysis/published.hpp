// The figures that the paper prints, for the "published" columns. Never this project's measurements.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace pasb {

class Published {
  public:
    // Keys as in configs/published.yaml, such as "df/saved" or "commit/hermes/GPT-5.4"; letters, digits and slashes
    // alone count, without case, so that "gpt-5.4" finds the paper's "GPT-5.4".
    void add(const std::string& version, const std::string& key, double percent);

    // "68.1 (v2), 71.9 (v1)", newest first, in percent or percentage points as the key says; empty where the paper has
    // no such figure. Agreement coefficients are no percentages and have two `digits`.
    [[nodiscard]] std::string text(std::string_view key, int digits = 1) const;
    [[nodiscard]] bool empty() const { return figures_.empty(); }

  private:
    std::map<std::string, std::map<std::string, double>> figures_;  // key -> version -> percent
};

// configs/published.yaml: {schema, source, versions: {v1: {key: number}}}. Throws InputError that names `origin` and
// the entry.
Published parse_published(const std::string& yaml, const std::string& origin);

}  // namespace pasb
