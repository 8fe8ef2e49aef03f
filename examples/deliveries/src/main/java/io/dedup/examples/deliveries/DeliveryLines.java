// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.deliveries;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * Deliveries as lines of JSON. A line that is none is reported with its number, and stops nothing.
 *
 * <p>A line is read as {@link #BYTES}, a character for each byte: were it decoded on the way, one
 * that is no UTF-8 would end the job, or be changed silently. The JSON parser refuses it.
 */
final class DeliveryLines implements Deliveries {

  /** How lines are to be opened. */
  static final Charset BYTES = StandardCharsets.ISO_8859_1;

  private static final ObjectMapper JSON = JsonMapper.shared();

  private final Source source;

  DeliveryLines(Source source) {
    this.source = source;
  }

  /** Opens the sample that comes with the job. */
  static BufferedReader sample() throws IOException {
    InputStream lines = DeliveryLines.class.getResourceAsStream("sample.jsonl");
    if (lines == null) {
      throw new IOException("sample.jsonl is missing on the class path");
    }
    return new BufferedReader(new InputStreamReader(lines, BYTES));
  }

  @Override
  public long forEach(Consumer<WebhookDelivery> sink) throws IOException {
    long rejected = 0;
    try (BufferedReader lines = source.open()) {
      long number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        if (line.isBlank()) {
          continue;
        }
        try {
          sink.accept(read(line));
        } catch (JacksonException | MalformedLine e) {
          rejected++;
          System.err.println("line " + number + " rejected: " + firstLine(e));
        }
      }
    }
    return rejected;
  }

  @Override
  public long count() throws IOException {
    try (BufferedReader lines = source.open()) {
      return lines.lines().filter(line -> !line.isBlank()).count();
    }
  }

  private static WebhookDelivery read(String line) {
    JsonNode node = JSON.readTree(line.getBytes(BYTES));
    JsonNode payload = node.path("payload");
    if (payload.isMissingNode()) {
      throw new MalformedLine("payload is missing");
    }
    return new WebhookDelivery(
        text(node, "delivery"), text(node, "event"), JSON.writeValueAsBytes(payload));
  }

  private static String text(JsonNode node, String name) {
    JsonNode value = node.path(name);
    if (!value.isString() || value.stringValue().isBlank()) {
      throw new MalformedLine(name + " must be a text that is not blank");
    }
    return value.stringValue();
  }

  private static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  /** Opens the lines anew, as {@link #BYTES}. */
  @FunctionalInterface
  interface Source {
    BufferedReader open() throws IOException;
  }

  private static final class MalformedLine extends RuntimeException {
    private static final long serialVersionUID = 1;

    MalformedLine(String message) {
      super(message);
    }
  }
}
