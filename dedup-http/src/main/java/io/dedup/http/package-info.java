// SPDX-License-Identifier: Apache-2.0
/** HTTP requests that act once. It must not know of Kafka listeners, of Redis or of SQL. */
@NullMarked
package io.dedup.http;

import org.jspecify.annotations.NullMarked;
