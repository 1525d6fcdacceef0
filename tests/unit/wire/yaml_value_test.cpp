#include "wire/yaml_value.hpp"

#include <gtest/gtest.h>

#include "model/errors.hpp"

namespace pasb {
namespace {

template <typename Action>
std::string input_error(const Action& action) {
    try {
        action();
        return "(no error)";
    } catch (const InputError& error) {
        return error.what();
    }
}

YamlValue parse(std::string_view text) {
    return YamlValue::parse(text, "f.yaml");
}

TEST(YamlValue, ReadsEveryType) {
    const YamlValue root = parse(
        "\xEF\xBB\xBF"
        "a: x\r\nb: [1, '2']\r\nc: {k: v, empty: ''}\r\nn: 7\r\nnothing: ~\r\n");
    root.allow_keys({"a", "b", "c", "n", "nothing"});
    EXPECT_EQ(root.at("a").text(), "x");
    EXPECT_EQ(root.at("b").texts(), (std::vector<std::string>{"1", "2"}));
    EXPECT_EQ(root.at("c").text_map(), (std::map<std::string, std::string>{{"k", "v"}, {"empty", ""}}));
    EXPECT_EQ(root.at("n").number(0, 7), 7);
    EXPECT_FALSE(root.find("nothing"));
    EXPECT_FALSE(root.find("absent"));
    EXPECT_EQ(root.at("n").line(), 4);
}

TEST(YamlValue, KeepsTheTypesOfPlainScalarsInJson) {
    const nlohmann::json json = parse("{i: 1, r: 0.5, t: true, z: ~, s: '1', w: no, l: [{a: b}], v: 0.19.0}").json();
    EXPECT_EQ(json, (nlohmann::json{{"i", 1},
                                    {"r", 0.5},
                                    {"t", true},
                                    {"z", nullptr},
                                    {"s", "1"},
                                    {"w", "no"},
                                    {"l", {{{"a", "b"}}}},
                                    {"v", "0.19.0"}}));
}

TEST(YamlValue, NamesFileLineAndField) {
    const YamlValue root = parse("a:\n  b:\n    - c: 1\n    - c: [2]\n");
    EXPECT_EQ(input_error([&] { (void)root.at("a").at("b").items()[1].at("c").text(); }),
              "f.yaml:4: a.b[1].c: is a list; write a single value");
    EXPECT_EQ(input_error([&] { (void)root.at("x"); }), "f.yaml:1: x: missing; add it");
    EXPECT_EQ(input_error([&] { root.at("a").allow_keys({"x", "y"}); }), "f.yaml:2: a.b: unknown key; use one of x, y");
    EXPECT_EQ(input_error([&] { (void)root.at("a").items(); }), "f.yaml:2: a: is a mapping; write a list");
}

TEST(YamlValue, RefusesWhatPeopleGetWrong) {
    EXPECT_EQ(input_error([] {
                  parse("a: 1\nb: 2\na: 3\n").allow_keys({"a", "b"});
              }),
              "f.yaml:3: a: stands twice; keep one");
    EXPECT_EQ(input_error([] { (void)parse("k: {a: 1, a: 2}").at("k").text_map(); }),
              "f.yaml:1: k.a: stands twice; keep one");
    EXPECT_EQ(input_error([] { (void)parse("k: {a: 1, a: 2}").json(); }), "f.yaml:1: k.a: stands twice; keep one");
    EXPECT_EQ(input_error([] { (void)parse("k: ' '").at("k").text(); }), "f.yaml:1: k: is empty; give it a value");
    for (const char* number : {"-1", "8", "1.5", "x", "99999999999", "0x1"}) {
        EXPECT_NE(
            input_error([&] { (void)parse(std::string("k: ") + number).at("k").number(0, 7); }).find("f.yaml:1: k: '"),
            std::string::npos)
            << number;
    }
}

TEST(YamlValue, RefusesWhatIsNoDocument) {
    EXPECT_EQ(input_error([] { parse(""); }), "f.yaml:1: the file is empty");
    EXPECT_EQ(input_error([] { parse("# only a comment\n"); }), "f.yaml:1: the file is empty");
    EXPECT_EQ(input_error([] { parse("a: 1\n---\nb: 2\n"); }),
              "f.yaml:1: more than one document, or something behind its end; keep one in a file");
    EXPECT_EQ(input_error([] { parse("a: 1\nb: \xFF\n"); }),
              "f.yaml:2: bytes that are not UTF-8; save the file as UTF-8");
    EXPECT_EQ(input_error([] { parse("a: 1\nb: [1\nc: 2\n"); }).substr(0, 10), "f.yaml:3: ");
}

TEST(YamlValue, RefusesAliases) {
    EXPECT_EQ(input_error([] { parse("a: &x [1]\nb: *x\n"); }), "f.yaml:2: an alias; write the value out");
    EXPECT_EQ(input_error([] { parse("&a [*a]"); }), "f.yaml:1: an alias; write the value out");
}

TEST(YamlValue, EndsOnInputThatTheLibraryLoopsOn) {
    EXPECT_NE(input_error([] { parse(",rk0rf{a"); }), "(no error)");
    EXPECT_NE(input_error([] { parse("{a: 1} behind"); }), "(no error)");
    EXPECT_NE(input_error([] { parse(std::string(100'000, '[')); }), "(no error)");
}

}  // namespace
}  // namespace pasb
