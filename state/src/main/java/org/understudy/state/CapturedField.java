package org.understudy.state;

import com.esotericsoftware.kryo.kryo5.Kryo;
import com.esotericsoftware.kryo.kryo5.io.Input;
import com.esotericsoftware.kryo.kryo5.io.Output;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;

/** Reads, writes, sets one field of an object. Looked up at deployment; no reflection afterwards. Thread-safe. */
final class CapturedField {
  private static final MethodType SETTER = MethodType.methodType(void.class, Object.class, Object.class);

  private final Field field;
  private final String step;
  private final Class<?> type;
  private final Class<?> boxed;
  private final MethodHandle getter;
  /** Null for a component of a record. */
  private final MethodHandle setter;

  CapturedField(Field field) {
    this.field = field;
    step = field.getDeclaringClass().getSimpleName() + "." + field.getName();
    type = field.getType();
    boxed = MethodType.methodType(type).wrap().returnType();
    try {
      field.setAccessible(true);
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      getter = lookup.unreflectGetter(field).asType(MethodType.methodType(type.isPrimitive() ? type : Object.class, Object.class));
      setter = field.getDeclaringClass().isRecord() ? null : lookup.unreflectSetter(field).asType(SETTER);
    } catch (IllegalAccessException | InaccessibleObjectException | SecurityException e) {
      throw new StateException(step + ": the field cannot be accessed: " + e.getMessage() + ".");
    }
  }

  /** Returns the field with its class, as in paths. */
  String step() {
    return step;
  }

  boolean isOf(Field other) {
    return field.equals(other);
  }

  void write(Kryo kryo, Output output, Object owner) {
    try {
      if (!type.isPrimitive()) {
        kryo.writeClassAndObject(output, (Object) getter.invokeExact(owner));
      } else if (type == int.class) {
        output.writeVarInt((int) getter.invokeExact(owner), false);
      } else if (type == long.class) {
        output.writeVarLong((long) getter.invokeExact(owner), false);
      } else if (type == boolean.class) {
        output.writeBoolean((boolean) getter.invokeExact(owner));
      } else if (type == double.class) {
        output.writeDouble((double) getter.invokeExact(owner));
      } else if (type == float.class) {
        output.writeFloat((float) getter.invokeExact(owner));
      } else if (type == char.class) {
        output.writeChar((char) getter.invokeExact(owner));
      } else if (type == short.class) {
        output.writeShort((short) getter.invokeExact(owner));
      } else {
        output.writeByte((byte) getter.invokeExact(owner));
      }
    } catch (RuntimeException e) {
      throw StateException.through(step, e);
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("A getter handle threw a checked exception.", e);
    }
  }

  /** Reads a value of the type of the field. */
  Object read(Kryo kryo, Input input) {
    try {
      Object value = type.isPrimitive() ? primitive(input) : kryo.readClassAndObject(input);
      if (value != null && !boxed.isInstance(value)) {
        throw new StateException(
            "the captured value is of the class " + value.getClass().getName() + ", and the field of the type " + type.getName() + ".");
      }
      return value;
    } catch (RuntimeException e) {
      throw StateException.through(step, e);
    }
  }

  private Object primitive(Input input) {
    if (type == int.class) {
      return input.readVarInt(false);
    } else if (type == long.class) {
      return input.readVarLong(false);
    } else if (type == boolean.class) {
      return input.readBoolean();
    } else if (type == double.class) {
      return input.readDouble();
    } else if (type == float.class) {
      return input.readFloat();
    } else if (type == char.class) {
      return input.readChar();
    } else if (type == short.class) {
      return input.readShort();
    }
    return input.readByte();
  }

  void set(Object owner, Object value) {
    try {
      setter.invokeExact(owner, value);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("A setter handle threw a checked exception.", e);
    }
  }
}
