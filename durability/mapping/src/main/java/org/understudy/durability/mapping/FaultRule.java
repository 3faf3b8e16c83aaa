package org.understudy.durability.mapping;

/**
 * What happens to the changes of an operation that ends with an exception of this class. Without a rule, a declared exception keeps
 * them, and any other exception undoes them.
 *
 * @param place its element
 * @param className the exception and its subclasses
 * @param keepsChanges false: the changes are undone
 */
public record FaultRule(Place place, String className, boolean keepsChanges) {}
