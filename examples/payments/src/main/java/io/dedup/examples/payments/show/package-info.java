// SPDX-License-Identifier: Apache-2.0
/**
 * Shows the application at work: servers, a stream with all that may go wrong, callers, and books
 * that are compared with what was asked for. It knows the application's front, not the framework.
 */
@NullMarked
package io.dedup.examples.payments.show;

import org.jspecify.annotations.NullMarked;
