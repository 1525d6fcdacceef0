#include "wire/yaml_value.hpp"

#include <yaml-cpp/eventhandler.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

#include "model/errors.hpp"
#include "model/utf8.hpp"

namespace pasb {
namespace {

[[noreturn]] void fail_at(const std::string& filename, int line, const std::string& what) {
    throw InputError(filename + ":" + std::to_string(line) + ": " + what);
}

int line_of(const YAML::Mark& mark) {
    return std::max(mark.line, 0) + 1;
}

int line_of_offset(std::string_view text, std::size_t offset) {
    return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

void check_utf8(std::string_view text, const std::string& filename) {
    std::size_t start = 0;
    while (start < text.size()) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        if (!is_utf8(text.substr(start, end - start))) {
            fail_at(filename, line_of_offset(text, start), "bytes that are not UTF-8; save the file as UTF-8");
        }
        start = end + 1;
    }
}

// Looks at a document before it becomes nodes. Aliases are refused: one may stand for a big value many times over, or
// hold itself.
class Survey : public YAML::EventHandler {
  public:
    explicit Survey(const std::string& filename) : filename_(filename) {}

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
        fail_at(filename_, line_of(mark), "an alias; write the value out");
    }
    void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override {}
    void OnScalar(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                  const std::string& /*value*/) override {}
    void OnSequenceStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                         YAML::EmitterStyle::value /*style*/) override {}
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                    YAML::EmitterStyle::value /*style*/) override {}
    void OnMapEnd() override {}

  private:
    const std::string& filename_;
};

// YAML::LoadAll never ends on some bad input (",a{b"), and YAML::Load passes over whatever follows the first document.
YAML::Node load_document(std::string_view text, const std::string& filename) {
    try {
        std::istringstream stream{std::string(text)};
        YAML::Parser parser(stream);
        Survey survey(filename);
        if (!parser.HandleNextDocument(survey)) {
            fail_at(filename, 1, "the file is empty");
        }
        if (parser.HandleNextDocument(survey)) {
            fail_at(filename, 1, "more than one document, or something behind its end; keep one in a file");
        }
        return YAML::Load(std::string(text));
    } catch (const YAML::Exception& error) {
        fail_at(filename, line_of(error.mark), "bad YAML: " + error.msg);
    }
}

const char* type_name(const YAML::Node& node) {
    switch (node.Type()) {
        case YAML::NodeType::Scalar:
            return "a single value";
        case YAML::NodeType::Sequence:
            return "a list";
        case YAML::NodeType::Map:
            return "a mapping";
        default:
            return "nothing";
    }
}

template <typename Number>
std::optional<Number> whole_number(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

nlohmann::json scalar_json(const YAML::Node& node) {
    const std::string& text = node.Scalar();
    const bool quoted = node.Tag() == "!";
    if (quoted) {
        return text;
    }
    if (text == "true" || text == "false") {
        return text == "true";
    }
    if (const auto whole = whole_number<std::int64_t>(text)) {
        return *whole;
    }
    if (const auto real = whole_number<double>(text)) {
        return *real;
    }
    return text;
}

}  // namespace

YamlValue YamlValue::parse(std::string_view text, const std::string& filename) {
    check_utf8(text, filename);
    const YAML::Node document = load_document(text, filename);
    if (document.IsNull()) {
        fail_at(filename, 1, "the file is empty");
    }
    return {document, filename, ""};
}

void YamlValue::allow_keys(std::initializer_list<std::string_view> known) const {
    if (!node_.IsMap()) {
        fail(std::string("is ") + type_name(node_) + "; write a mapping");
    }
    std::set<std::string> seen;
    for (const auto& item : node_) {
        const std::string key = item.first.IsScalar() ? item.first.Scalar() : std::string();
        if (std::find(known.begin(), known.end(), key) == known.end()) {
            std::string list;
            for (const std::string_view name : known) {
                list.append(list.empty() ? "" : ", ").append(name);
            }
            child(item.first, key).fail("unknown key; use one of " + list);
        }
        if (!seen.insert(key).second) {
            child(item.first, key).fail("stands twice; keep one");
        }
    }
}

YamlValue YamlValue::at(const std::string& key) const {
    const std::optional<YamlValue> value = find(key);
    if (!value) {
        child(node_, key).fail("missing; add it");
    }
    return *value;
}

std::optional<YamlValue> YamlValue::find(const std::string& key) const {
    const YAML::Node value = node_[key];
    if (!value.IsDefined() || value.IsNull()) {
        return std::nullopt;
    }
    return child(value, key);
}

std::vector<YamlValue> YamlValue::items() const {
    if (!node_.IsSequence()) {
        fail(std::string("is ") + type_name(node_) + "; write a list");
    }
    std::vector<YamlValue> all;
    for (std::size_t index = 0; index < node_.size(); ++index) {
        all.push_back(child(node_[index], "[" + std::to_string(index) + "]"));
    }
    return all;
}

std::string YamlValue::text() const {
    if (!node_.IsScalar()) {
        fail(std::string("is ") + type_name(node_) + "; write a single value");
    }
    const std::string& text = node_.Scalar();
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
        fail("is empty; give it a value");
    }
    return text;
}

std::vector<std::string> YamlValue::texts() const {
    std::vector<std::string> all;
    for (const YamlValue& item : items()) {
        all.push_back(item.text());
    }
    return all;
}

std::map<std::string, std::string> YamlValue::text_map() const {
    if (!node_.IsMap()) {
        fail(std::string("is ") + type_name(node_) + "; write a mapping");
    }
    std::map<std::string, std::string> all;
    for (const auto& item : node_) {
        const std::string key = child(item.first, "key").text();
        const YamlValue value = child(item.second, key);
        if (!value.node_.IsScalar()) {
            value.fail(std::string("is ") + type_name(value.node_) + "; write a single value");
        }
        if (!all.emplace(key, value.node_.Scalar()).second) {
            value.fail("stands twice; keep one");
        }
    }
    return all;
}

int YamlValue::number(int least, int most) const {
    const auto value = whole_number<int>(text());
    if (!value || *value < least || *value > most) {
        fail("'" + text() + "' is no whole number from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return *value;
}

nlohmann::json YamlValue::json() const {
    if (node_.IsSequence()) {
        nlohmann::json list = nlohmann::json::array();
        for (const YamlValue& item : items()) {
            list.push_back(item.json());
        }
        return list;
    }
    if (node_.IsMap()) {
        nlohmann::json object = nlohmann::json::object();
        for (const auto& item : node_) {
            const std::string key = child(item.first, "key").text();
            const YamlValue value = child(item.second, key);
            if (object.contains(key)) {
                value.fail("stands twice; keep one");
            }
            object[key] = value.json();
        }
        return object;
    }
    return node_.IsScalar() ? scalar_json(node_) : nlohmann::json();
}

int YamlValue::line() const {
    return line_of(node_.Mark());
}

void YamlValue::fail(const std::string& what) const {
    fail_at(filename_, line(), field_.empty() ? what : field_ + ": " + what);
}

YamlValue YamlValue::child(const YAML::Node& node, const std::string& step) const {
    const bool is_index = step.starts_with('[');
    return {node, filename_, field_.empty() || is_index ? field_ + step : field_ + "." + step};
}

}  // namespace pasb
