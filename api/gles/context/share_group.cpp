#include "api/gles/context/share_group.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tessera::gles {

namespace {

/// All groups there are.
struct Groups {
    std::mutex mutex;
    std::vector<ShareGroup*> all;
};
Groups& groups() {
    static Groups& groups = *new Groups;  // contexts may outlive static objects
    return groups;
}

}  // namespace

ShareGroup::ShareGroup() {
    const std::lock_guard lock(groups().mutex);
    groups().all.push_back(this);
}

ShareGroup::~ShareGroup() {
    const std::lock_guard lock(groups().mutex);
    std::erase(groups().all, this);
}

CallsWithoutLock& ShareGroup::callsWithoutLock() {
    static CallsWithoutLock& calls = *new CallsWithoutLock;
    return calls;
}

void ShareGroup::lockAll() {
    callsWithoutLock().lock();
    groups().mutex.lock();
    for (ShareGroup* group : groups().all) group->mutex.lock();
}

void ShareGroup::unlockAll() {
    for (ShareGroup* group : groups().all) group->mutex.unlock();
    groups().mutex.unlock();
    callsWithoutLock().unlock();
}

void ShareGroup::detachShader(std::shared_ptr<Shader>& slot) {
    if (!slot) return;
    std::shared_ptr<Shader> shader = std::exchange(slot, nullptr);
    if (--shader->attachments == 0 && shader->deleteFlag) programs.erase(shader->name);
}

void ShareGroup::releaseProgram(Program& program) {
    if (!program.deleteFlag || program.users != 0) return;
    detachShader(program.vertex);
    detachShader(program.fragment);
    programs.erase(program.name);
}

void ShareGroup::useProgram(std::shared_ptr<Program>& slot, std::shared_ptr<Program> next) {
    if (next) ++next->users;
    std::swap(slot, next);
    if (!next) return;
    --next->users;
    releaseProgram(*next);
}

}  // namespace tessera::gles
