// A value in a YAML file with its place, so that a mistake is reported as "file:line: field: what; remedy". For files
// that people write: unknown keys, repeated keys and wrong types are errors. Opens no file.
#pragma once

#include <yaml-cpp/yaml.h>

#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pasb {

class YamlValue {
  public:
    // The one document in `text`. Throws InputError on bad YAML, on none or several documents, and on bytes that are
    // not UTF-8.
    static YamlValue parse(std::string_view text, const std::string& filename);

    // Throws InputError unless this is a mapping whose keys are all in `known` and each there once.
    void allow_keys(std::initializer_list<std::string_view> known) const;
    // Of a mapping that has passed allow_keys. at() throws InputError when the key is missing or its value empty.
    [[nodiscard]] YamlValue at(const std::string& key) const;
    [[nodiscard]] std::optional<YamlValue> find(const std::string& key) const;

    // All throw InputError when the value is of another type.
    [[nodiscard]] std::vector<YamlValue> items() const;
    [[nodiscard]] std::string text() const;  // a scalar of any kind as it is written; not empty, not blank
    [[nodiscard]] std::vector<std::string> texts() const;
    [[nodiscard]] std::map<std::string, std::string> text_map() const;
    [[nodiscard]] int number(int least, int most) const;
    // Plain null, true, false and numbers keep their type, everything else is a string.
    [[nodiscard]] nlohmann::json json() const;

    [[nodiscard]] int line() const;  // 1-based
    [[noreturn]] void fail(const std::string& what) const;

  private:
    YamlValue(const YAML::Node& node, std::string filename, std::string field)
        : node_(node), filename_(std::move(filename)), field_(std::move(field)) {}

    [[nodiscard]] YamlValue child(const YAML::Node& node, const std::string& step) const;

    YAML::Node node_;
    std::string filename_;
    std::string field_;  // "control.turn.body", "paths[3].kind"
};

}  // namespace pasb
