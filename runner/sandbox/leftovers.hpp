// Removes what earlier, dead runners left in the engine. A living runner's containers are never touched.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sandbox/engine.hpp"

namespace pasb {

inline constexpr const char* owner_label = "pasb.owner";  // RuntimeFolder::owner of the runner that made the container
inline constexpr const char* run_label = "pasb.run";
inline constexpr const char* image_label = "pasb.image";  // on images: the name under images/

// Removes every container whose owner has died and returns their names. `all` also takes those of living owners (pasb
// clean --all).
std::vector<std::string> remove_leftovers(const Engine& engine, bool all, const Deadline& deadline);

}  // namespace pasb
