package org.understudy.state;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.Serializer;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The form of an EnumMap: the index of its enum among the enums of the state, then the entries. */
@SuppressWarnings({"unchecked", "rawtypes"}) // The enum is known at run time only.
final class EnumMapForm extends Serializer<EnumMap> {
  private final List<Class<?>> enums;

  /** @param enums all enums that the state may contain, in the same order on every replica */
  EnumMapForm(List<Class<?>> enums) {
    this.enums = enums;
  }

  @Override
  public void write(Kryo kryo, Output output, EnumMap map) {
    output.writeVarInt(enums.indexOf(keyType(map)), true);
    ContainerForms.writeEntries(kryo, output, map);
  }

  private Class<?> keyType(EnumMap map) {
    EnumMap copy = new EnumMap(map);
    for (Class<?> one : enums) {
      Object[] constants = one.getEnumConstants();
      try {
        if (constants.length > 0) {
          copy.put((Enum) constants[0], null);
        }
        if (!copy.isEmpty() && constants.length > 0) {
          return one;
        }
      } catch (ClassCastException e) {
        // The keys are of another enum.
      }
    }
    throw new StateException("the keys of an EnumMap are of an enum that no declared type names.");
  }

  @Override
  public EnumMap read(Kryo kryo, Input input, Class<? extends EnumMap> type) {
    int place = input.readVarInt(true);
    if (place < 0 || place >= enums.size()) {
      throw new StateException("the captured state names the enum " + place + " of " + enums.size() + ".");
    }
    EnumMap made = new EnumMap(enums.get(place));
    kryo.reference(made);
    ContainerForms.readEntries(kryo, input, (Map<Object, Object>) made);
    return made;
  }
}
