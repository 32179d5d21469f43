// Errors of queries and of conditional rendering.
#include "api/gles/queries/validation.h"

namespace tessera::gles::validate {

namespace {

bool isOcclusionTarget(GLenum target) {
    return target == GL_ANY_SAMPLES_PASSED_EXT || target == GL_ANY_SAMPLES_PASSED_CONSERVATIVE_EXT;
}

/// A name from glGenQueriesEXT whose object, if there is one, has that target and is not active.
bool usableQuery(Context& c, GLuint id, GLenum target) {
    if (!c.queries.contains(id)) return c.error(GL_INVALID_OPERATION);
    std::shared_ptr<Query> query = c.queries.find(id);
    bool usable = !query || (query->target == target && !query->active);
    return usable || c.error(GL_INVALID_OPERATION);
}

}  // namespace

bool beginQuery(Context& c, GLenum target, GLuint id) {
    const std::shared_ptr<Query>* slot = c.activeQuery(target);
    if (!slot) return c.error(GL_INVALID_ENUM);
    if (*slot) return c.error(GL_INVALID_OPERATION);
    if (c.conditionalQuery && c.conditionalQuery->name == id) return c.error(GL_INVALID_OPERATION);
    return usableQuery(c, id, target);
}

bool beginConditionalRender(Context& c, GLuint id, GLenum mode) {
    if (mode < GL_QUERY_WAIT_NV || mode > GL_QUERY_BY_REGION_NO_WAIT_NV) return c.error(GL_INVALID_ENUM);
    if (c.conditionalQuery) return c.error(GL_INVALID_OPERATION);
    const std::shared_ptr<Query> query = c.queries.find(id);
    if (!query) return c.error(GL_INVALID_VALUE);
    return (isOcclusionTarget(query->target) && !query->active) || c.error(GL_INVALID_OPERATION);
}

bool endQuery(Context& c, GLenum target) {
    const std::shared_ptr<Query>* slot = c.activeQuery(target);
    if (!slot) return c.error(GL_INVALID_ENUM);
    return (*slot && (*slot)->target == target) || c.error(GL_INVALID_OPERATION);
}

bool queryCounter(Context& c, GLuint id, GLenum target) {
    if (target != GL_TIMESTAMP_EXT) return c.error(GL_INVALID_ENUM);
    return usableQuery(c, id, target);
}

bool getQuery(Context& c, GLenum target, GLenum pname) {
    bool knownTarget = c.activeQuery(target) != nullptr || target == GL_TIMESTAMP_EXT;
    bool knownName = pname == GL_CURRENT_QUERY_EXT || pname == GL_QUERY_COUNTER_BITS_EXT;
    return (knownTarget && knownName) || c.error(GL_INVALID_ENUM);
}

bool getQueryObject(Context& c, GLuint id, GLenum pname) {
    std::shared_ptr<Query> query = c.queries.find(id);
    if (!query || query->active) return c.error(GL_INVALID_OPERATION);
    return pname == GL_QUERY_RESULT_EXT || pname == GL_QUERY_RESULT_AVAILABLE_EXT || c.error(GL_INVALID_ENUM);
}

}  // namespace tessera::gles::validate
