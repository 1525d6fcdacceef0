// Texts of the clean baseline's notes by path relative to the agent's home: what a modified note is compared with.
#pragma once

#include <map>
#include <string>

namespace pasb {

using BaselineTexts = std::map<std::string, std::string>;

}  // namespace pasb
