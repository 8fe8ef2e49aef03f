// SPDX-License-Identifier: Apache-2.0
/**
 * The application: payments that come by Kafka and by HTTP, each booked once. It is written as a
 * user of the framework would write it, and knows nothing of how it is shown.
 */
@NullMarked
package io.dedup.examples.payments;

import org.jspecify.annotations.NullMarked;
