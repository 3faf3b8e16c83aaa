/** Classes as wsdl2java generates them from the old contract. */
package org.understudy.container.evolution.generated;
