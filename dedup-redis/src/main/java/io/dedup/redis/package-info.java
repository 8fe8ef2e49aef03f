// SPDX-License-Identifier: Apache-2.0
/**
 * The claim store on Redis: the transition table as Lua scripts, and the bytes that go to them and
 * come back. This room knows Redis through byte-level connections only; it knows no handler, no
 * transport, no template and no transaction of its caller.
 */
@NullMarked
package io.dedup.redis;

import org.jspecify.annotations.NullMarked;
