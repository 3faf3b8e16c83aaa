/** The durability compiler (Zhang 2006, IV.C.4): from a service, its state objects and its mapping to ordinary Java source. */
package org.understudy.durability.compiler;
