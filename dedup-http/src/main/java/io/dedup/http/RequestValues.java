// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.security.Principal;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What expressions may refer to.
 *
 * @param header the first value of each request header; names in any case
 * @param path the variables of the route
 * @param query the first value of each query parameter
 * @param principal who sent it, null for an anonymous caller
 * @param tenant of the caller
 * @param body the body as JSON; null if it is none
 */
record RequestValues(
    Map<String, String> header,
    Map<String, String> path,
    Map<String, String> query,
    @Nullable Principal principal,
    String tenant,
    Supplier<@Nullable JsonNode> body) {}
