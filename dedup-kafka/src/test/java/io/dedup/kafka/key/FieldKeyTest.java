// SPDX-License-Identifier: Apache-2.0
package io.dedup.kafka.key;

import static io.dedup.kafka.key.Sample.assertMissing;
import static io.dedup.kafka.key.Sample.assertUnreadable;
import static io.dedup.kafka.key.Sample.idOf;
import static io.dedup.kafka.key.Sample.value;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.StringValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.file.SeekableByteArrayInput;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.util.Utf8;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldKeyTest {

  private static String at(String path, Object payload) {
    return idOf(KeyExtractors.field(path), value(payload));
  }

  @Nested
  class Avro {

    private static final Schema SCHEMA =
        new Schema.Parser()
            .parse(
                """
                {"type":"record","name":"Order","fields":[
                  {"name":"id","type":["null","string"],"default":null},
                  {"name":"number","type":"long","default":0},
                  {"name":"kind","type":{"type":"enum","name":"Kind","symbols":["NEW","OLD"]},"default":"NEW"},
                  {"name":"raw","type":"bytes","default":""},
                  {"name":"hash","type":{"type":"fixed","name":"Hash","size":2},"default":"\\u0000\\u0000"},
                  {"name":"flag","type":"boolean","default":false},
                  {"name":"lines","type":{"type":"array","items":"int"},"default":[]},
                  {"name":"labels","type":{"type":"map","values":"string"},"default":{}},
                  {"name":"customer","type":["null",{"type":"record","name":"Customer","fields":[
                    {"name":"id","type":"string"}]}],"default":null}
                ]}
                """);

    private static GenericRecordBuilder order() {
      return new GenericRecordBuilder(SCHEMA);
    }

    @Test
    void textIsTheSameAsUtf8AndAsString() {
      assertThat(at("id", order().set("id", new Utf8("A-1")).build())).isEqualTo("A-1");
      assertThat(at("id", order().set("id", "A-1").build())).isEqualTo("A-1");
    }

    @Test
    void otherKindsOfFieldsHaveOneReadingEach() {
      Schema kind = SCHEMA.getField("kind").schema();
      Schema hash = SCHEMA.getField("hash").schema();
      var order =
          order()
              .set("number", 9007199254740993L)
              .set("kind", new GenericData.EnumSymbol(kind, "OLD"))
              .set("raw", ByteBuffer.wrap(new byte[] {(byte) 0xff}))
              .set("hash", new GenericData.Fixed(hash, new byte[] {'h', 'i'}))
              .build();
      assertThat(at("number", order)).isEqualTo("number:9007199254740993");
      assertThat(at("kind", order)).isEqualTo("OLD");
      assertThat(at("raw", order)).isEqualTo("bytes:ff");
      assertThat(at("hash", order)).isEqualTo("hi");
    }

    @Test
    void nestedFieldsAreFoundByTheirPath() {
      Schema customer = SCHEMA.getField("customer").schema().getTypes().get(1);
      var order =
          order()
              .set("customer", new GenericRecordBuilder(customer).set("id", "C-7").build())
              .set("labels", Map.of(new Utf8("a.b"), new Utf8("x")))
              .build();
      assertThat(at("customer.id", order)).isEqualTo("C-7");
      assertThat(at("labels.a\\.b", order)).isEqualTo("x");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {"id", "customer", "customer.id", "nope", "customer.nope", "labels.nope"})
    void nullAbsentAndUnknownFieldsAreMissing(String path) {
      assertMissing(KeyExtractors.field(path), value(order().build()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"flag", "lines", "labels", "number.x", "flag.x"})
    void whatIsNoIdIsUnreadable(String path) {
      assertUnreadable(KeyExtractors.field(path), value(order().build()), "must be");
    }

    @Test
    void theOrderOfAMapDoesNotMatter() {
      Map<String, String> one = new LinkedHashMap<>();
      one.put("x", "1");
      one.put("y", "2");
      Map<String, String> other = new LinkedHashMap<>();
      other.put("y", "2");
      other.put("x", "1");
      assertThat(at("id", order().set("id", "A").set("labels", one).build()))
          .isEqualTo(at("id", order().set("id", "A").set("labels", other).build()));
    }

    @Test
    void filesThatDifferInTheirSyncMarkersAreTheSameByTheirFields() throws Exception {
      byte[] one = file(order().set("id", "A").build());
      byte[] other = file(order().set("id", "A").build());
      assertThat(idOf(KeyExtractors.body(BodyForm.RAW), value(one)))
          .isNotEqualTo(idOf(KeyExtractors.body(BodyForm.RAW), value(other)));
      assertThat(at("id", read(one))).isEqualTo(at("id", read(other)));
    }

    private static byte[] file(GenericData.Record record) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (var writer = new DataFileWriter<GenericData.Record>(new GenericDatumWriter<>(SCHEMA))) {
        writer.create(SCHEMA, bytes).append(record);
      }
      return bytes.toByteArray();
    }

    private static Object read(byte[] file) throws IOException {
      try (var reader =
          new DataFileReader<>(
              new SeekableByteArrayInput(file), new GenericDatumReader<>(SCHEMA))) {
        return reader.next();
      }
    }

    @Test
    void jsonPointersAreNotForAvro() {
      assertUnreadable(
          KeyExtractors.json("/id"), value(order().set("id", "A").build()), "use field:NAME");
    }
  }

  @Nested
  class Protobuf {

    private static final Descriptor ORDER = descriptor();

    private static FieldDescriptorProto.Builder field(
        String name, int number, FieldDescriptorProto.Type type) {
      return FieldDescriptorProto.newBuilder()
          .setName(name)
          .setNumber(number)
          .setType(type)
          .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL);
    }

    private static Descriptor descriptor() {
      DescriptorProto entry =
          DescriptorProto.newBuilder()
              .setName("LabelsEntry")
              .setOptions(MessageOptions.newBuilder().setMapEntry(true))
              .addField(field("key", 1, FieldDescriptorProto.Type.TYPE_STRING))
              .addField(field("value", 2, FieldDescriptorProto.Type.TYPE_STRING))
              .build();
      DescriptorProto order =
          DescriptorProto.newBuilder()
              .setName("Order")
              .addField(field("id", 1, FieldDescriptorProto.Type.TYPE_STRING))
              .addField(field("number", 2, FieldDescriptorProto.Type.TYPE_INT64))
              .addField(field("big", 3, FieldDescriptorProto.Type.TYPE_UINT64))
              .addField(field("kind", 4, FieldDescriptorProto.Type.TYPE_ENUM).setTypeName(".Kind"))
              .addField(field("raw", 5, FieldDescriptorProto.Type.TYPE_BYTES))
              .addField(
                  field("customer", 6, FieldDescriptorProto.Type.TYPE_MESSAGE)
                      .setTypeName(".Order"))
              .addField(
                  field("labels", 7, FieldDescriptorProto.Type.TYPE_MESSAGE)
                      .setTypeName(".Order.LabelsEntry")
                      .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED))
              .addField(
                  field("lines", 8, FieldDescriptorProto.Type.TYPE_INT32)
                      .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED))
              .addField(
                  field("maybe", 9, FieldDescriptorProto.Type.TYPE_INT64)
                      .setProto3Optional(true)
                      .setOneofIndex(0))
              .addOneofDecl(OneofDescriptorProto.newBuilder().setName("_maybe"))
              .addField(field("small", 10, FieldDescriptorProto.Type.TYPE_FIXED32))
              .addField(field("flag", 11, FieldDescriptorProto.Type.TYPE_BOOL))
              .addNestedType(entry)
              .build();
      EnumDescriptorProto kind =
          EnumDescriptorProto.newBuilder()
              .setName("Kind")
              .addValue(EnumValueDescriptorProto.newBuilder().setName("UNSET").setNumber(0))
              .addValue(EnumValueDescriptorProto.newBuilder().setName("NEW").setNumber(1))
              .build();
      try {
        return FileDescriptor.buildFrom(
                FileDescriptorProto.newBuilder()
                    .setName("order.proto")
                    .setSyntax("proto3")
                    .addMessageType(order)
                    .addEnumType(kind)
                    .build(),
                new FileDescriptor[0])
            .findMessageTypeByName("Order");
      } catch (com.google.protobuf.Descriptors.DescriptorValidationException e) {
        throw new IllegalStateException(e);
      }
    }

    private static DynamicMessage order(Object... namesAndValues) {
      DynamicMessage.Builder order = DynamicMessage.newBuilder(ORDER);
      for (int i = 0; i < namesAndValues.length; i += 2) {
        order.setField(ORDER.findFieldByName((String) namesAndValues[i]), namesAndValues[i + 1]);
      }
      return order.build();
    }

    private static DynamicMessage label(String key, String value) {
      Descriptor entry = ORDER.findNestedTypeByName("LabelsEntry");
      return DynamicMessage.newBuilder(entry)
          .setField(entry.findFieldByName("key"), key)
          .setField(entry.findFieldByName("value"), value)
          .build();
    }

    @Test
    void fieldsHaveOneReadingEach() {
      var kind = ORDER.findFieldByName("kind").getEnumType().findValueByName("NEW");
      DynamicMessage order =
          order(
              "id",
              "A-1",
              "number",
              9007199254740993L,
              "big",
              -1L,
              "small",
              -1,
              "kind",
              kind,
              "raw",
              ByteString.copyFrom("hi", UTF_8));
      assertThat(at("id", order)).isEqualTo("A-1");
      assertThat(at("number", order)).isEqualTo("number:9007199254740993");
      assertThat(at("big", order)).isEqualTo("number:18446744073709551615");
      assertThat(at("small", order)).isEqualTo("number:4294967295");
      assertThat(at("kind", order)).isEqualTo("NEW");
      assertThat(at("raw", order)).isEqualTo("hi");
    }

    @Test
    void nestedFieldsAndMapsAreFoundByTheirPath() {
      DynamicMessage order =
          order(
              "customer", order("id", "C-7"), "labels", List.of(label("x", "1"), label("a.b", "")));
      assertThat(at("customer.id", order)).isEqualTo("C-7");
      assertThat(at("labels.x", order)).isEqualTo("1");
      assertMissing(KeyExtractors.field("labels.a\\.b"), value(order));
      assertMissing(KeyExtractors.field("labels.y"), value(order));
      assertMissing(KeyExtractors.field("customer.customer.id"), value(order));
    }

    @Test
    void whatIsNotSetIsMissingAlsoWhereItReadsAsZero() {
      for (String path :
          List.of("id", "number", "big", "kind", "raw", "maybe", "customer", "flag", "nope")) {
        assertMissing(KeyExtractors.field(path), value(order()));
      }
    }

    @Test
    void zeroIsAnIdWhereItIsKnownToBeSet() {
      assertThat(at("maybe", order("maybe", 0L))).isEqualTo("number:0");
    }

    @Test
    void whatIsNoIdIsUnreadable() {
      DynamicMessage order =
          order(
              "lines",
              List.of(1, 2),
              "customer",
              order("id", "x"),
              "labels",
              List.of(),
              "flag",
              true);
      for (String path : List.of("lines", "customer", "labels", "flag")) {
        assertUnreadable(KeyExtractors.field(path), value(order), "must be");
      }
    }

    @Test
    void theOrderOfAMapOnTheWireDoesNotMatter() throws Exception {
      DynamicMessage one = order("id", "A", "labels", List.of(label("x", "1"), label("y", "2")));
      DynamicMessage other = order("id", "A", "labels", List.of(label("y", "2"), label("x", "1")));
      assertThat(one.toByteArray()).isNotEqualTo(other.toByteArray());
      DynamicMessage parsed = DynamicMessage.parseFrom(ORDER, other.toByteArray());
      assertThat(at("id", parsed)).isEqualTo(at("id", one));
      assertThat(at("labels.x", parsed)).isEqualTo(at("labels.x", one));
    }

    @Test
    void generatedClassesAreReadLikeDynamicOnes() {
      Struct struct =
          Struct.newBuilder()
              .putFields("id", Value.newBuilder().setStringValue("A").build())
              .putFields("n", Value.newBuilder().setNumberValue(2).build())
              .build();
      assertThat(at("fields.id.string_value", struct)).isEqualTo("A");
      assertThat(at("fields.n.number_value", struct)).isEqualTo("number:2");
      assertThat(at("value", StringValue.of("B"))).isEqualTo("B");
    }
  }

  @Test
  void aMapIsReadByItsKeys() {
    assertThat(at("a.b", Map.of("a", Map.of("b", "c")))).isEqualTo("c");
  }

  @Test
  void aTombstoneHasNoFields() {
    assertMissing(KeyExtractors.field("id"), value(null));
  }

  @Test
  void bytesThatWereNotDeserialisedAreUnreadable() {
    assertUnreadable(
        KeyExtractors.field("id"),
        value(new byte[] {1}),
        "must be in an Avro record, a Protobuf message");
  }
}
