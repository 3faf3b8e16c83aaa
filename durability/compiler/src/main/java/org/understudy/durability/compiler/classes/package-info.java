/** The classes that a durability mapping names, found on a class path and compared with the mapping. */
package org.understudy.durability.compiler.classes;
