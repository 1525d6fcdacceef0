// The folder for sockets of this process, named after it so that a later process can tell whether its owner still
// lives. Nothing in it is worth keeping.
#pragma once

#include <string>

namespace pasb {

class RuntimeFolder {
  public:
    // Below /run/pasb for root, else below XDG_RUNTIME_DIR or /tmp; a short path, since Unix sockets allow 107 bytes.
    // Removes the folders of owners that have died.
    RuntimeFolder();
    ~RuntimeFolder();
    RuntimeFolder(const RuntimeFolder&) = delete;
    RuntimeFolder& operator=(const RuntimeFolder&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }
    // "pid-starttime" of this process; stands in the labels of its containers.
    [[nodiscard]] const std::string& owner() const { return owner_; }
    // A new empty folder that any user may write into (the container's user is not ours) until it is sealed.
    [[nodiscard]] std::string make_exchange(const std::string& name) const;
    // Takes the right to create and delete files away again; sockets in it go on working.
    static void seal(const std::string& exchange);
    static void remove(const std::string& exchange);

  private:
    std::string path_;
    std::string owner_;
};

// Whether the process that an owner id names still runs on this host (the start time tells a reused pid apart).
bool owner_alive(const std::string& owner);

}  // namespace pasb
