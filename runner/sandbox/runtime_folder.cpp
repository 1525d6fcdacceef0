#include "sandbox/runtime_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "model/errors.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;

// Field 22 of /proc/PID/stat; the second field is a name in parentheses that may hold spaces.
std::string start_time(const std::string& pid) {
    std::ifstream file("/proc/" + pid + "/stat");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    const auto name_end = text.rfind(')');
    if (name_end == std::string::npos) {
        return {};
    }
    std::istringstream fields(text.substr(name_end + 1));
    std::string field;
    for (int index = 3; index <= 22 && fields >> field; ++index) {
    }
    return field;
}

std::string base_folder() {
    if (::geteuid() == 0) {
        return "/run/pasb";
    }
    const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
    return runtime != nullptr && *runtime != '\0' ? std::string(runtime) + "/pasb"
                                                  : "/tmp/pasb-" + std::to_string(::geteuid());
}

void set_mode(const std::string& path, mode_t mode) {
    if (::chmod(path.c_str(), mode) != 0) {
        throw InputError(
            path + ": its permissions cannot be set: " + std::error_code(errno, std::generic_category()).message());
    }
}

void remove_dead_folders(const std::string& base) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(base, ignored)) {
        if (!owner_alive(entry.path().filename().string())) {
            fs::remove_all(entry.path(), ignored);
        }
    }
}

}  // namespace

bool owner_alive(const std::string& owner) {
    const auto dash = owner.find('-');
    if (dash == std::string::npos || dash == 0 || owner.find_first_not_of("0123456789-") != std::string::npos) {
        return false;
    }
    return start_time(owner.substr(0, dash)) == owner.substr(dash + 1);
}

RuntimeFolder::RuntimeFolder() {
    const std::string base = base_folder();
    std::error_code error;
    fs::create_directories(base, error);
    if (error) {
        throw InputError(base + ": cannot be created: " + error.message());
    }
    // Other users must not reach the sockets; the containers see their own folder by its mount, not by this path.
    set_mode(base, 0700);
    remove_dead_folders(base);
    const std::string pid = std::to_string(::getpid());
    owner_ = pid + "-" + start_time(pid);
    path_ = base + "/" + owner_;
    fs::create_directories(path_, error);
    if (error) {
        throw InputError(path_ + ": cannot be created: " + error.message());
    }
}

RuntimeFolder::~RuntimeFolder() {
    remove(path_);
}

std::string RuntimeFolder::make_exchange(const std::string& name) const {
    const std::string path = path_ + "/" + name;
    fs::create_directories(path);
    set_mode(path, 0777);
    return path;
}

void RuntimeFolder::seal(const std::string& exchange) {
    set_mode(exchange, 0555);
}

void RuntimeFolder::remove(const std::string& exchange) {
    std::error_code ignored;
    fs::permissions(exchange, fs::perms::owner_all, fs::perm_options::add, ignored);
    fs::remove_all(exchange, ignored);
}

}  // namespace pasb
