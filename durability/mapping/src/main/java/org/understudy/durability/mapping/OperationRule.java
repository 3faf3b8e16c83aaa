package org.understudy.durability.mapping;

/**
 * Declares an operation of the service a read or an update.
 *
 * @param place its element
 * @param name of the method
 * @param read whether it changes nothing; the generated operation is marked with {@code @Read}
 */
public record OperationRule(Place place, String name, boolean read) {}
