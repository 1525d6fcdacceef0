#include "sandbox/leftovers.hpp"

#include "sandbox/runtime_folder.hpp"

namespace pasb {

std::vector<std::string> remove_leftovers(const Engine& engine, bool all, const Deadline& deadline) {
    std::vector<std::string> removed;
    for (const ContainerSummary& container : engine.list(owner_label, deadline)) {
        const auto owner = container.labels.find(owner_label);
        if (!all && owner != container.labels.end() && owner_alive(owner->second)) {
            continue;
        }
        engine.remove(container.id, deadline);
        removed.push_back(container.names.empty() ? container.id : container.names.front());
    }
    return removed;
}

}  // namespace pasb
