// SPDX-License-Identifier: Apache-2.0
/**
 * HTTP requests that act once. It must not know of Kafka listeners, of Redis or of SQL.
 *
 * <p>Keys, fingerprints, answers and what is kept of responses know no servlets: they are for every
 * adapter. What does is for the servlet stack.
 */
@NullMarked
package io.dedup.http;

import org.jspecify.annotations.NullMarked;
