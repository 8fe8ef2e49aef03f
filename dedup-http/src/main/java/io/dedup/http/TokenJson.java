// SPDX-License-Identifier: Apache-2.0
package io.dedup.http;

import java.io.ByteArrayOutputStream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** A token as the endpoint answers it. */
final class TokenJson {

  private static final JsonFactory JSON = new JsonFactory();

  private TokenJson() {}

  static byte[] of(Tokens.Token token) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      json.writeStringProperty("token", token.text());
      json.writeStringProperty("expiresAt", token.expiresAt().toString());
      json.writeEndObject();
    }
    return out.toByteArray();
  }
}
