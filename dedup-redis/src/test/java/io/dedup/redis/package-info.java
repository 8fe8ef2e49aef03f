// SPDX-License-Identifier: Apache-2.0
/** Tests of the store on Redis, all of them on real servers. */
@NullMarked
package io.dedup.redis;

import org.jspecify.annotations.NullMarked;
