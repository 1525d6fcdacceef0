#include "wire/seal.hpp"

#include <gtest/gtest.h>

namespace pasb {
namespace {

using nlohmann::json;

TEST(Seal, HoldsUntilAByteChanges) {
    const json value = sealed({{"a", 1.25}, {"b", {1, "caf\xC3\xA9"}}, {"c", nullptr}});
    EXPECT_TRUE(seal_holds(value));
    EXPECT_TRUE(seal_holds(json::parse(value.dump())));
    EXPECT_EQ(sealed(value), value);
    for (const char* member : {"a", "b", "c"}) {
        json changed = value;
        changed[member] = 2;
        EXPECT_FALSE(seal_holds(changed)) << member;
        changed.erase(member);
        EXPECT_FALSE(seal_holds(changed)) << member;
    }
    json more = value;
    more["d"] = 0;
    EXPECT_FALSE(seal_holds(more));
    EXPECT_FALSE(seal_holds({{"a", 1}}));
    EXPECT_FALSE(seal_holds(json::array()));
    EXPECT_FALSE(seal_holds({{"a", 1}, {"sha256", 3}}));
}

}  // namespace
}  // namespace pasb
