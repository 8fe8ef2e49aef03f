// SPDX-License-Identifier: Apache-2.0
package io.dedup.examples.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.UnaryOperator;

/**
 * A service that charges. Its messages are text, so that no generated code is needed; with protobuf
 * nothing else would be different.
 */
final class Payments {

  /** Charges, and answers with a receipt. */
  static final MethodDescriptor<String, String> PAY =
      MethodDescriptor.<String, String>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName(MethodDescriptor.generateFullMethodName("Payments", "Pay"))
          .setRequestMarshaller(Text.INSTANCE)
          .setResponseMarshaller(Text.INSTANCE)
          .build();

  private Payments() {}

  /**
   * Returns the service.
   *
   * @param charge the effect: takes an order, returns a receipt
   */
  static ServerServiceDefinition service(UnaryOperator<String> charge) {
    return ServerServiceDefinition.builder("Payments")
        .addMethod(
            PAY,
            ServerCalls.asyncUnaryCall(
                (String order, StreamObserver<String> client) -> pay(charge, order, client)))
        .build();
  }

  private static void pay(
      UnaryOperator<String> charge, String order, StreamObserver<String> client) {
    try {
      client.onNext(charge.apply(order));
      client.onCompleted();
    } catch (RuntimeException e) {
      client.onError(e);
    }
  }

  /** Text in UTF-8. */
  private enum Text implements MethodDescriptor.Marshaller<String> {
    INSTANCE;

    @Override
    public InputStream stream(String value) {
      return new ByteArrayInputStream(value.getBytes(UTF_8));
    }

    @Override
    public String parse(InputStream stream) {
      try {
        return new String(stream.readAllBytes(), UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
