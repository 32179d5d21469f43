// Entry points of query objects (OpenGL ES 3.0.6, sections 2.14, 4.1.6 and 6.1.7, EXT_occlusion_query_boolean,
// EXT_disjoint_timer_query).
//
// Occlusion: draws carry a counter, and the result is there when the buffer with the last of them is executed. Time:
// commands between the others take it, after all earlier rendering has reached memory.
#include <algorithm>
#include <limits>

#include "api/gles/context/entry.h"
#include "api/gles/queries/validation.h"
#include "api/gles/state/state_queries.h"
#include "pipeline/commands.h"

using namespace tessera::gles;
namespace pipeline = tessera::pipeline;

namespace {

/// Writes the time when all commands so far are done.
void recordTime(Context& c, const std::shared_ptr<QueryResult>& result, std::atomic<int64_t> QueryResult::* where) {
    c.recorder.record(pipeline::Timestamp{{result, &((*result).*where)}});
}

/// True when the result is there. Asking makes it come.
bool isAvailable(Context& c, const Query& query) {
    if (!query.result) return true;
    if (query.result->serialNumber() == 0) c.recorder.submit();
    return Driver::instance().gpu().isDone(query.result->serialNumber());
}

uint64_t resultOf(const Query& query) {
    if (!query.result) return 0;
    if (query.target == GL_TIME_ELAPSED_EXT || query.target == GL_TIMESTAMP_EXT)
        return static_cast<uint64_t>(query.result->end.load() - query.result->start.load());
    if (query.target == GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN) return query.result->primitives.primitives.load();
    return query.result->samples.samples.load() != 0;
}

/// The nearest value that the type has.
template <class T>
T clampTo(uint64_t value) {
    return static_cast<T>(std::min<uint64_t>(value, static_cast<uint64_t>(std::numeric_limits<T>::max())));
}

template <class T>
void getQueryObject(GLuint id, GLenum pname, T* params, const char* call = __builtin_FUNCTION()) {
    Query query(0);  // what is waited for, without the lock
    bool wanted = enterFor(
        false,
        [&](Context& c) {
            if (!validate::getQueryObject(c, id, pname) || !params) return false;
            query = *c.queries.find(id);
            const bool available = isAvailable(c, query);
            if (pname == GL_QUERY_RESULT_EXT) return true;
            *params = available;
            return false;
        },
        call);
    // A loop that waits for the result must end when the context is lost (KHR_robustness).
    if (pname == GL_QUERY_RESULT_AVAILABLE_EXT && params && current() && isContextLost(*current())) *params = GL_TRUE;
    if (!wanted) return;
    FloatEnvironment environment;
    if (query.result) Driver::instance().gpu().wait(query.result->serialNumber());
    *params = clampTo<T>(resultOf(query));
}

}  // namespace

extern "C" {

void GL_APIENTRY glGenQueries(GLsizei n, GLuint* ids) {
    enter([&](Context& c) {
        if (validate::count(c, n) && ids) std::generate_n(ids, n, [&] { return c.queries.generate(); });
    });
}
void GL_APIENTRY glGenQueriesEXT(GLsizei n, GLuint* ids) { glGenQueries(n, ids); }

void GL_APIENTRY glDeleteQueries(GLsizei n, const GLuint* ids) {
    enter([&](Context& c) {
        if (!validate::count(c, n) || !ids) return;
        for (GLsizei i = 0; i < n; ++i) c.queries.erase(ids[i]);  // an active one goes on until it ends
    });
}
void GL_APIENTRY glDeleteQueriesEXT(GLsizei n, const GLuint* ids) { glDeleteQueries(n, ids); }

GLboolean GL_APIENTRY glIsQuery(GLuint id) {
    return enterFor(GLboolean{GL_FALSE},
                    [&](Context& c) { return static_cast<GLboolean>(c.queries.find(id) != nullptr); });
}
GLboolean GL_APIENTRY glIsQueryEXT(GLuint id) { return glIsQuery(id); }

void GL_APIENTRY glBeginQuery(GLenum target, GLuint id) {
    enter([&](Context& c) {
        if (!validate::beginQuery(c, target, id)) return;
        std::shared_ptr<Query> query = c.queries.findOrMake(id);
        query->target = target;
        query->active = true;
        query->result = std::make_shared<QueryResult>();
        if (target == GL_TIME_ELAPSED_EXT) recordTime(c, query->result, &QueryResult::start);
        *c.activeQuery(target) = std::move(query);
    });
}
void GL_APIENTRY glBeginQueryEXT(GLenum target, GLuint id) { glBeginQuery(target, id); }

void GL_APIENTRY glEndQuery(GLenum target) {
    enter([&](Context& c) {
        if (!validate::endQuery(c, target)) return;
        std::shared_ptr<Query> query = std::exchange(*c.activeQuery(target), nullptr);
        query->active = false;
        if (target == GL_TIME_ELAPSED_EXT) recordTime(c, query->result, &QueryResult::end);
        query->result->serial = c.recorder.pendingSerial();
    });
}
void GL_APIENTRY glEndQueryEXT(GLenum target) { glEndQuery(target); }

// Conditional rendering (NV_conditional_render). Modes that need not wait for the result do, so that the picture does
// not depend on how far the GPU has come; nor are regions left out.

void GL_APIENTRY glBeginConditionalRenderNV(GLuint id, GLenum mode) {
    const auto query = enterFor(std::shared_ptr<Query>(), [&](Context& c) {
        if (!validate::beginConditionalRender(c, id, mode)) return std::shared_ptr<Query>();
        c.conditionalQuery = c.queries.find(id);
        (void)isAvailable(c, *c.conditionalQuery);
        return c.conditionalQuery;
    });
    if (!query) return;
    FloatEnvironment environment;
    if (query->result) Driver::instance().gpu().wait(query->result->serialNumber());
    enter([&](Context& c) { c.discardsRendering = resultOf(*query) == 0; });
}

void GL_APIENTRY glEndConditionalRenderNV() {
    enter([](Context& c) {
        if (!c.conditionalQuery) return void(c.error(GL_INVALID_OPERATION));
        c.conditionalQuery = nullptr;
        c.discardsRendering = false;
    });
}

void GL_APIENTRY glQueryCounterEXT(GLuint id, GLenum target) {
    enter([&](Context& c) {
        if (!validate::queryCounter(c, id, target)) return;
        std::shared_ptr<Query> query = c.queries.findOrMake(id);
        query->target = target;
        query->result = std::make_shared<QueryResult>();
        recordTime(c, query->result, &QueryResult::end);
        query->result->serial = c.recorder.pendingSerial();
    });
}

void GL_APIENTRY glGetQueryiv(GLenum target, GLenum pname, GLint* params) {
    enter([&](Context& c) {
        if (!validate::getQuery(c, target, pname) || !params) return;
        const bool isTime = target == GL_TIME_ELAPSED_EXT || target == GL_TIMESTAMP_EXT;
        if (pname == GL_QUERY_COUNTER_BITS_EXT) {
            *params = isTime ? 64 : target == GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN ? 32 : 1;
            return;
        }
        const std::shared_ptr<Query>* slot = c.activeQuery(target);
        *params = slot && *slot && (*slot)->target == target ? static_cast<GLint>((*slot)->name) : 0;
    });
}
void GL_APIENTRY glGetQueryivEXT(GLenum target, GLenum pname, GLint* params) { glGetQueryiv(target, pname, params); }

void GL_APIENTRY glGetQueryObjectivEXT(GLuint id, GLenum pname, GLint* params) { getQueryObject(id, pname, params); }
void GL_APIENTRY glGetQueryObjectuiv(GLuint id, GLenum pname, GLuint* params) { getQueryObject(id, pname, params); }
void GL_APIENTRY glGetQueryObjectuivEXT(GLuint id, GLenum pname, GLuint* params) {
    glGetQueryObjectuiv(id, pname, params);
}
void GL_APIENTRY glGetQueryObjecti64vEXT(GLuint id, GLenum pname, GLint64* params) {
    getQueryObject(id, pname, params);
}
void GL_APIENTRY glGetQueryObjectui64vEXT(GLuint id, GLenum pname, GLuint64* params) {
    getQueryObject(id, pname, params);
}

void GL_APIENTRY glGetInteger64v(GLenum pname, GLint64* data) {
    enter([&](Context& c) {
        StateValue state;
        if (pname == GL_TIMESTAMP_EXT) {
            if (data) *data = pipeline::timestamp();
        } else if (queryState(c, pname, state) && data) {
            for (int i = 0; i < state.count; ++i) data[i] = toInt64(state, i);
        }
    });
}
void GL_APIENTRY glGetInteger64vEXT(GLenum pname, GLint64* data) { glGetInteger64v(pname, data); }

}  // extern "C"
