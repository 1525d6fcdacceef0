// Plain HTTP requests and responses as values. No Beast here: only net/*.cpp know the library.
#pragma once

#include <map>
#include <string>

namespace pasb {

struct HttpRequest {
    std::string method = "GET";
    std::string target = "/";
    std::map<std::string, std::string> headers;  // received requests: names in lower case
    std::string body;
};

struct HttpResponse {
    int status = 0;
    std::map<std::string, std::string> headers;  // names in lower case
    std::string body;
};

}  // namespace pasb
