// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.bean;

import io.dedup.OnMissingKey;

/**
 * What holds for methods whose annotation does not say otherwise.
 *
 * @param mode how effect and completion go together
 * @param onMissingKey what happens without a key
 * @param selfCalls what happens where a class calls a guarded method of its own
 */
public record CallDefaults(CallMode mode, OnMissingKey onMissingKey, SelfCalls selfCalls) {}
