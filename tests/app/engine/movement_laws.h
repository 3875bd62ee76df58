#pragma once
// Laws of every movement of a recorded block: its flows, the states before and after, and its picture between them.

#include <cstdint>

#include "app/engine/session/session.h"

namespace lanescope::engine {

/// The moment at the end of a statement, with all families of one warp and what the statement moved.
results::Moment moved(const Session& session, std::int64_t step,
                      MomentRequest::MovementOf of = MomentRequest::MovementOf::statement, int warp = 0);

/// Flows name cells that there are; every defined cell of a written register row has at least one; what moved is the same
/// before and after; of several flows to a cell none moved.
void expect_sound(const results::Movement& m);

/// Register rows hold before and after what the registers held then.
void expect_states(const Session& session, const results::Moment& moment);

/// The laws of the picture: its ends are the two states, and between them every value is somewhere on one continuous way.
void expect_pictures(const results::Summary& summary, const results::Moment& moment);

/// It is the same after the wire.
void expect_round_trip(const results::Moment& moment);

/// The first three.
void expect_all(const Session& session, const results::Moment& moment);

}  // namespace lanescope::engine
