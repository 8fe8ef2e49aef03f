// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

/**
 * One delivery of a webhook.
 *
 * @param id the sender's id, repeated when it delivers again
 * @param event the kind of event
 * @param payload the body
 */
record WebhookDelivery(String id, String event, byte[] payload) {}
