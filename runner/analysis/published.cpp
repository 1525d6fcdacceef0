#include "analysis/published.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

#include "wire/yaml_value.hpp"

namespace pasb {
namespace {

constexpr std::string_view published_schema = "pasb.published/1";

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::string normalised(std::string_view key) {
    std::string out;
    for (const char c : key) {
        if (is_letter_or_digit(c) || c == '/') {
            out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        }
    }
    return out;
}

}  // namespace

void Published::add(const std::string& version, const std::string& key, double percent) {
    figures_[normalised(key)][version] = percent;
}

std::string Published::text(std::string_view key, int digits) const {
    const auto found = figures_.find(normalised(key));
    if (found == figures_.end()) {
        return {};
    }
    std::string text;
    for (auto version = found->second.rbegin(); version != found->second.rend(); ++version) {
        std::array<char, 32> number{};
        std::snprintf(number.data(), number.size(), "%.*f", digits, version->second);
        text += (text.empty() ? "" : ", ") + std::string(number.data()) + " (" + version->first + ")";
    }
    return text;
}

Published parse_published(const std::string& yaml, const std::string& origin) {
    const YamlValue file = YamlValue::parse(yaml, origin);
    file.allow_keys({"schema", "source", "versions"});
    if (file.at("schema").text() != published_schema) {
        file.at("schema").fail("must be " + std::string(published_schema));
    }
    const YamlValue versions = file.at("versions");
    versions.allow_keys({"v1", "v2"});
    Published published;
    for (const char* version : {"v1", "v2"}) {
        const auto figures = versions.find(version);
        if (!figures) {
            continue;
        }
        for (const auto& [key, text] : figures->text_map()) {
            double percent = 0;
            const auto read = std::from_chars(text.data(), text.data() + text.size(), percent);
            if (read.ec != std::errc() || read.ptr != text.data() + text.size()) {
                figures->fail("the figure '" + key + "' must be a number, not '" + text + "'");
            }
            published.add(version, key, percent);
        }
    }
    return published;
}

}  // namespace pasb
