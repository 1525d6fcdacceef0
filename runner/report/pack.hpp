// Text packed for a script block: gzip, then base64. The page unpacks it when somebody looks.
#pragma once

#include <string>
#include <string_view>

namespace pasb {

// The same text gives the same bytes: no time stamp. Throws std::bad_alloc when memory runs out.
std::string packed(std::string_view text);

}  // namespace pasb
