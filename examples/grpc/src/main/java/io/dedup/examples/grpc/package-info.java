// SPDX-License-Identifier: Apache-2.0
/**
 * A gRPC server whose calls act once. The service knows nothing of keys; the interceptor knows
 * nothing of payments.
 */
@NullMarked
package io.dedup.examples.grpc;

import org.jspecify.annotations.NullMarked;
